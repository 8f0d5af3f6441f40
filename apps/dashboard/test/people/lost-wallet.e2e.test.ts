import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from '../agents.ts';
import { type Json, openDashboard, paymentOf, type TestDashboard } from '../dashboard.ts';
import { peopleCalls } from './people.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

const forbidden = { status: 403, code: 80000004 };

/** An account with a mandate, an agent that pays under one, a record, and a second owner. */
async function newAccountOfTwo() {
  const [people, agents] = [peopleCalls(dashboard), agentCalls(dashboard)];
  const holder = await dashboard.newAccount();
  const agent = await agents.newAgent(holder);
  const mandates = [await dashboard.newMandate(holder), await agents.newMandateFor(holder, agent.address)];
  const { apiKey } = holder;
  const paid = await dashboard.post('/api/transactions', { apiKey, ...paymentOf(holder.address) });
  expect(paid).toMatchObject({ status: 201 });
  return { people, agents, holder, agent, mandates, second: await people.newPerson(holder, ['owner']) };
}

test('a second owner stops everything that a lost wallet allowed, and reads what it did [dashboard.people.lost-wallet]', async () => {
  const { people, agents, holder, agent, mandates, second } = await newAccountOfTwo();
  const { token } = second;
  const active = async () =>
    Promise.all(
      [holder.address, agent.address].map(async (wallet) => (await agents.lookUp(holder, wallet)).status),
    );
  expect(await active()).toEqual([200, 200]);
  for (const mandateId of mandates)
    expect(await dashboard.post('/api/mandates/intent/revoke', { mandateId }, token)).toMatchObject({
      status: 200,
    });
  expect(await active()).toEqual([404, 404]);
  expect(await agents.revoke({ token }, agent.agentId)).toMatchObject({ status: 200 });
  const sessions = (await dashboard.request('GET', '/api/auth/sessions', { token })).data.data;
  const theirs = sessions.find(({ person }: Json) => person.id === 'holder');
  const end = (path: string) => dashboard.request('DELETE', path, { token });
  expect(await end(`/api/auth/sessions/${theirs.id}`)).toMatchObject({ status: 200 });
  expect(await people.me(holder.token)).toMatchObject({ status: 401 });
  const [key] = (await dashboard.request('GET', '/api/keys', { token })).data.data;
  expect(await end(`/api/keys/${key.id}`)).toMatchObject({ status: 200 });
  expect(await agents.lookUp(holder, holder.address)).toMatchObject({ status: 401 });
  expect((await dashboard.request('GET', '/api/transactions?scope=myAll', { token })).data.data).toHaveLength(
    1,
  );
});

test('no other wallet signs in the place of a lost one, nor takes over its agents [dashboard.people.lost-wallet]', async () => {
  const { agents, holder, agent, second } = await newAccountOfTwo();
  const next = await dashboard.newAccount();
  const draft = await dashboard.draftMandate(second.token);
  expect(await dashboard.signMandate({ wallet: next.wallet, token: second.token }, draft)).toMatchObject(
    forbidden,
  );
  // Control: the wallet itself still could.
  expect(await dashboard.signMandate({ wallet: holder.wallet, token: second.token }, draft)).toMatchObject({
    status: 200,
  });
  expect(await agents.revoke({ token: second.token }, agent.agentId)).toMatchObject({ status: 200 });
  expect(await agents.announce(next, agent.wallet)).toMatchObject(forbidden);
  const other = await agents.newAgent(next);
  expect(other.agent).toMatchObject({ state: 'active' });
  expect(
    (await dashboard.request('GET', '/api/transactions?scope=myAll', { token: next.token })).data.data,
  ).toEqual([]);
});
