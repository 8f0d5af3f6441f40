import { afterAll, beforeAll, expect, test } from 'vitest';
import { erase, exportOf } from '../personal-data.ts';
import { resource } from './client.ts';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';

let dashboard: OauthDashboard;
beforeAll(async () => {
  dashboard = await openOauthDashboard();
});
afterAll(() => dashboard?.stop());

test('connected clients are in their owner’s export, and an erasure leaves nothing of them [dashboard.oauth.personal]', async () => {
  const [owner, other] = [await dashboard.newOwner(), await dashboard.newOwner()];
  const { accessToken } = await dashboard.connect(owner);
  const others = await dashboard.connect(other);
  const { data } = await exportOf(dashboard, owner.token);
  expect(data.connections.records).toMatchObject([
    { agentId: owner.agent.agentId, clientName: 'Test client', returnsTo: 'client.example', resource },
  ]);
  expect(await dashboard.everyRecord()).toContain(owner.account.id);
  expect((await erase(dashboard, owner)).data.erased).toMatchObject({ connections: 1, agents: 1 });
  expect(await dashboard.everyRecord()).not.toContain(owner.agent.agentId);
  // Its API key is gone too, so the gateway of another asks.
  expect(await dashboard.introspect(other, accessToken)).toEqual({ active: false });
  expect(await dashboard.introspect(other, others.accessToken)).toMatchObject({ active: true });
});
