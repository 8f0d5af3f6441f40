import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';

let dashboard: OauthDashboard;
beforeAll(async () => {
  dashboard = await openOauthDashboard();
});
afterAll(() => dashboard?.stop());

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

const connectionsOf = async ({ token }: { token: string }) =>
  (await dashboard.post('/api/oauth/connections/list', {}, token)).data;

test('stopping an agent disconnects its clients, and its record names them [dashboard.agents.stop]', async () => {
  const owner = await dashboard.newOwner();
  const { clientId, accessToken, refreshToken } = await dashboard.connect(owner);
  const other = await dashboard.newOwner();
  const untouched = await dashboard.connect(other);
  const [{ connectionId }] = (await connectionsOf(owner)).data;
  const stopped = (await dashboard.agents.revoke(owner, owner.agent.agentId)).data.agent;
  expect(stopped.stop.connections).toEqual([connectionId]);
  expect(await connectionsOf(owner)).toMatchObject({ total: 0 });
  expect(await dashboard.introspect(owner, accessToken)).toEqual({ active: false });
  expect(await dashboard.client.refresh(clientId, refreshToken)).toMatchObject(invalidGrant);
  expect(await dashboard.introspect(other, untouched.accessToken)).toMatchObject({ active: true });
});

test('terms that an owner signs after the last ones ran out let no earlier client in again [dashboard.oauth.expired-agent]', async () => {
  const owner = await dashboard.newOwner();
  const { agentId } = owner.agent;
  const { clientId, accessToken, refreshToken } = await dashboard.connect(owner);
  const renew = async () => {
    const terms = (await dashboard.agents.prepare(owner, agentId, { name: 'Research', validDays: 90 })).data;
    expect((await dashboard.agents.sign(owner, terms)).status).toBe(200);
  };
  // Renewed in time, it goes on.
  await renew();
  expect(await dashboard.introspect(owner, accessToken)).toMatchObject({ active: true });
  await expire(agentId);
  expect(await dashboard.introspect(owner, accessToken)).toEqual({ active: false });
  await renew();
  expect(await dashboard.introspect(owner, accessToken)).toEqual({ active: false });
  expect(await dashboard.client.refresh(clientId, refreshToken)).toMatchObject(invalidGrant);
});

/** As time would. */
async function expire(agentId: string): Promise<void> {
  const { storage } = dashboard.config;
  const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
  await client.connect();
  await client.query(
    `update dashboard.agent_wallet set expires_at = now() - interval '1 second' where id = $1`,
    [agentId],
  );
  await client.end();
}
