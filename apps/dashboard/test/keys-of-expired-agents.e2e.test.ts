import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from './agents.ts';
import { type Json, openDashboard, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let agents: ReturnType<typeof agentCalls>;
let someone: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  agents = agentCalls(dashboard);
  someone = (await dashboard.newAccount()).address;
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
type Agent = Awaited<ReturnType<typeof agents.newAgent>>;

const day = 86_400_000;
const again = (owner: Owner): Promise<Owner> => dashboard.newAccount(owner.wallet);
const keyFor = (owner: Owner, agent: Agent) =>
  dashboard.post('/api/keys', { name: 'gateway', agentWallet: agent.address }, owner.token);
const ask = ({ apiKey }: Json) =>
  dashboard.post('/api/accounts/public-key', { apiKey, walletAddress: someone });
const lookUp = ({ data }: Json) => ask(data);
const listed = async (owner: Owner, { data }: Json): Promise<Json> => {
  const all = (await dashboard.request('GET', '/api/keys', { token: owner.token })).data.data;
  return all.find(({ id }: Json) => id === data.id);
};

async function renew(owner: Owner, { agentId }: Agent): Promise<void> {
  const terms = (await agents.prepare(owner, agentId, { name: 'Research', validDays: 30 })).data;
  expect((await agents.sign(owner, terms)).status).toBe(200);
}

test('a key ends when its agent’s terms run out, says so, and new terms do not bring it back [dashboard.key.agent.expiry]', async () => {
  const first = await dashboard.newAccount();
  const [agent, other] = [
    await agents.newAgent(first, { validDays: 1 }),
    await agents.newAgent(first, { validDays: 30 }),
  ];
  const [key, ofOther] = [await keyFor(first, agent), await keyFor(first, other)];
  dashboard.clock.advance(day - 1);
  expect(await lookUp(key)).toMatchObject({ status: 200 });
  dashboard.clock.advance(1);
  const endedAt = dashboard.clock.now.toISOString();
  const refused = await lookUp(key);
  expect(refused).toMatchObject({ status: 401, code: 80000040, data: null });
  expect(refused.msg).toContain(`the terms of its agent ran out at ${endedAt}`);
  const owner = await again(first);
  expect(await listed(owner, key)).toMatchObject({ revokedAt: endedAt });

  await renew(owner, agent);
  dashboard.clock.advance(1000);
  expect(await lookUp(key)).toMatchObject({ status: 401, code: 80000040 });
  expect(await listed(owner, key)).toMatchObject({ revokedAt: endedAt });
  expect(await lookUp(await keyFor(owner, agent))).toMatchObject({ status: 200 });
  // Other agents' keys and those of the whole account go on.
  expect(await lookUp(ofOther)).toMatchObject({ status: 200 });
  expect(await ask(first)).toMatchObject({ status: 200 });
});

test('terms renewed in time leave the agent’s keys as they are [dashboard.key.agent.expiry]', async () => {
  const first = await dashboard.newAccount();
  const agent = await agents.newAgent(first, { validDays: 1 });
  const key = await keyFor(first, agent);
  dashboard.clock.advance(day - 1);
  await renew(await again(first), agent);
  dashboard.clock.advance(day);
  expect(await lookUp(key)).toMatchObject({ status: 200 });
});

test('for an agent whose terms ran out no key is made or rolled: new terms would end it [dashboard.key.agent.expiry]', async () => {
  const first = await dashboard.newAccount();
  const agent = await agents.newAgent(first, { validDays: 1 });
  const key = await keyFor(first, agent);
  dashboard.clock.advance(day);
  const owner = await again(first);
  expect(await keyFor(owner, agent)).toMatchObject({ status: 404, code: 80000011 });
  const roll = () => dashboard.post(`/api/keys/${key.data.id}/roll`, { graceSeconds: 3600 }, owner.token);
  expect(await roll()).toMatchObject({ status: 409, code: 80000003 });
  await renew(owner, agent);
  expect(await roll()).toMatchObject({ status: 409, code: 80000003 });
});

test('a key in its grace ends with its agent’s terms, and no later [dashboard.key.agent.expiry]', async () => {
  const first = await dashboard.newAccount();
  const agent = await agents.newAgent(first, { validDays: 1 });
  const key = await keyFor(first, agent);
  dashboard.clock.advance(day - 1000);
  const owner = await again(first);
  const rolled = await dashboard.post(`/api/keys/${key.data.id}/roll`, { graceSeconds: 3600 }, owner.token);
  dashboard.clock.advance(1000);
  await renew(owner, agent);
  for (const each of [key, rolled]) expect(await lookUp(each)).toMatchObject({ status: 401 });
});
