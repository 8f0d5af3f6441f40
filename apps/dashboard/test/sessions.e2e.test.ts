import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWallet, openDashboard, openDashboardForTest, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

const minute = 60_000;
const sessions = async (token: string) =>
  (await dashboard.request('GET', '/api/auth/sessions', { token })).data.data;
const end = (token: string, id: string) => dashboard.request('DELETE', `/api/auth/sessions/${id}`, { token });

test('live sessions are listed, newest first, with when they were used last [dashboard.session.list]', async () => {
  const wallet = newWallet();
  const first = (await dashboard.loginReply(wallet)).data.token;
  const createdAt = dashboard.clock.now.toISOString();
  dashboard.clock.advance(5 * minute);
  const second = (await dashboard.loginReply(wallet)).data;
  const listed = await sessions(second.token);
  expect(listed).toEqual([
    {
      id: expect.any(String),
      person: { id: 'holder', name: 'Wallet’s holder' },
      createdAt: dashboard.clock.now.toISOString(),
      lastSeenAt: dashboard.clock.now.toISOString(),
      expiresAt: second.expiresAt,
      current: true,
    },
    expect.objectContaining({ createdAt, lastSeenAt: createdAt, current: false }),
  ]);
  dashboard.clock.advance(minute);
  expect((await sessions(first)).map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
  const seen = async () => (await sessions(second.token))[1].lastSeenAt;
  await expect.poll(seen).toBe(dashboard.clock.now.toISOString());
  expect(await sessions((await dashboard.newAccount()).token)).toHaveLength(1);
});

test('a session that was ended, logged out or has expired is not listed [dashboard.session.list]', async () => {
  const wallet = newWallet();
  await dashboard.loginReply(wallet);
  dashboard.clock.advance(12 * 60 * minute);
  const gone = (await dashboard.loginReply(wallet)).data.token;
  await dashboard.post('/api/auth/logout', {}, gone);
  const { token } = (await dashboard.loginReply(wallet)).data;
  expect(await sessions(token)).toHaveLength(1);
});

test('ending a session refuses its token at once, on every process [dashboard.session.end]', async () => {
  const sibling = await openDashboardForTest({ storage: dashboard.config.storage });
  sibling.clock.now = dashboard.clock.now;
  const wallet = newWallet();
  const [lost, kept] = [
    (await dashboard.loginReply(wallet)).data.token,
    (await dashboard.loginReply(wallet)).data.token,
  ];
  const { id } = (await sessions(kept)).find(({ current }: { current: boolean }) => !current);
  expect(await end(kept, id)).toMatchObject({ status: 200, data: { id } });
  for (const each of [dashboard, sibling])
    expect(await each.request('GET', '/api/auth/me', { token: lost })).toMatchObject({
      status: 401,
      code: 80000019,
    });
  expect(await end(kept, id)).toMatchObject({ status: 200 });
  expect(await sessions(kept)).toHaveLength(1);
});

test('the session of another account does not exist for me [dashboard.session.end.foreign]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const [{ id }] = await sessions(theirs.token);
  for (const each of [id, 'ses_unknown'])
    expect(await end(mine.token, each)).toMatchObject({ status: 404, code: 80000011 });
  expect(await sessions(theirs.token)).toHaveLength(1);
});

test('me tells whether one is an operator [dashboard.session.me.operator]', async () => {
  const wallet = newWallet();
  const run = await openDashboardForTest({ operators: new Set([wallet.address]) });
  const operator = await run.newAccount(wallet);
  const owner = await run.newAccount();
  const person = { id: 'holder', name: 'Wallet’s holder', roles: ['owner'], holder: true };
  const me = async (token: string) => (await run.request('GET', '/api/auth/me', { token })).data;
  expect(await me(operator.token)).toEqual({ account: operator.account, operator: true, person });
  expect(await me(owner.token)).toEqual({ account: owner.account, operator: false, person });
});
