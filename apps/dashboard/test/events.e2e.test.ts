import { connect } from 'node:net';
import { dashboardEvent } from '@countersign/protocol/dashboard/events';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sweep } from '../src/alerts/sweeper.ts';
import { openDatabase } from '../src/database.ts';
import { createTeller } from '../src/events/notice.ts';
import { createLogger } from '@countersign/service/logger';
import { askedOf } from './approvals.ts';
import {
  type Json,
  newWallet,
  openDashboard,
  openDashboardForTest,
  type TestDashboard,
  paymentOf,
} from './dashboard.ts';
import { follow } from './event-stream.ts';
import { holdCalls } from './holds.ts';
import { mandateCalls } from './mandate-calls.ts';

/** What the server does every so often, done when a test says so. */
const beats: (() => void)[] = [];
const every = (_: number, work: () => void) => {
  beats.push(work);
  return () => void beats.splice(beats.indexOf(work), 1);
};
const beat = () => {
  for (const work of beats) work();
};

let dashboard: TestDashboard;
let sibling: TestDashboard;
let calls: ReturnType<typeof mandateCalls> & ReturnType<typeof holdCalls>;
beforeAll(async () => {
  dashboard = await openDashboard({}, { every });
  sibling = await openDashboard({ storage: dashboard.config.storage }, { every });
  calls = { ...mandateCalls(dashboard), ...holdCalls(dashboard) };
});
afterAll(() => Promise.all([dashboard.stop(), sibling.stop()]));

const day = 24 * 60 * 60_000;
const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
const followed = (owner: { token: string }, where: { url: string } = dashboard) =>
  follow(where.url, bearer(owner));
const has = (fields: object) => (data: Json) =>
  Object.entries(fields).every(([name, value]) => data[name] === value);

test('a stream of server-sent events, by cookie or by token [dashboard.events.stream]', async () => {
  const owner = await dashboard.newAccount();
  const { headers } = await followed(owner);
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toMatch(/./);
  await follow(dashboard.url, { cookie: `platform_session=${owner.token}` });
  expect(await dashboard.request('GET', '/api/events')).toMatchObject({ status: 401, code: 80000044 });
  const bad = await dashboard.request('GET', '/api/events', { token: 'bad' });
  expect(bad).toMatchObject({ status: 401, code: 80000019, data: null });
});

test('a mandate is told with its record whenever it is made or changes [dashboard.events.kinds]', async () => {
  const owner = await dashboard.newAccount();
  const stream = await followed(owner);
  const seen = async (fields: object) => stream.until('mandate', has(fields));

  const old = await dashboard.newMandate(owner);
  await seen({ id: old, status: 'active' });
  const draft = await dashboard.draftMandate(owner.token, { totalBudget: '10' });
  expect(await seen({ id: draft.mandateId })).toEqual(draft.mandate);
  const { mandate } = (await dashboard.signMandate(owner, draft)).data;
  const both = [await stream.until('mandate'), await stream.until('mandate')];
  expect(both).toContainEqual(mandate);
  expect(both).toContainEqual(expect.objectContaining({ id: old, status: 'revoked' }));

  const id = draft.mandateId;
  const { holdId } = (await calls.hold(owner, { mandateId: id, amount: '1' })).data;
  await seen({ id, heldAmount: '1' });
  await calls.release(owner, holdId);
  await seen({ id, heldAmount: '0' });
  await calls.setPolicy(owner, id, { paused: true });
  expect((await seen({ id })).policy.paused).toBe(true);
  await calls.adjust(owner, id, { totalBudget: '5' });
  await seen({ id, totalBudget: '5' });
  await calls.update(owner, id, { title: 'New' });
  await seen({ id, title: 'New' });
  await calls.update(owner, id, { totalBudget: '6' });
  await seen({ id, status: 'pending' });
  await calls.revoke(owner, id);
  await calls.renew(owner, old, { validDays: 1 });
  expect((await stream.until('mandate', ({ id: each }) => each !== old && each !== id)).status).toBe(
    'pending',
  );
});

test('a transaction is told to those for whom it counts, with its mandate and its alerts; what others claim is not [dashboard.events.kinds] [dashboard.transactions.claim.not-told]', async () => {
  const [payer, payee] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const operator = { ...payer, ...(await dashboard.newOperatorKey()) };
  const id = await dashboard.newMandate(payer, { totalBudget: '2' });
  const streams = [await followed(payer), await followed(payee)] as const;
  await dashboard.post('/api/transactions', {
    apiKey: payer.apiKey,
    ...paymentOf(payer.address, { payee: payee.address }),
  });
  const report = await calls.report(operator, id, { amount: '1', payee: payee.address, txHash: '0x1' });
  const listed = await dashboard.request('GET', '/api/transactions?scope=myPayer', { token: payer.token });
  expect(await streams[0].until('transaction', has({ id: report.data.id }))).toEqual(listed.data.data[0]);
  expect(await streams[1].until('transaction')).toEqual(listed.data.data[0]);

  const again = await calls.report(payer, id, { amount: '1', payee: payee.address, txHash: '0x2' });
  expect(again.status).toBe(201);
  const kinds = new Map<string, Json>();
  while (kinds.size < 4) {
    const { event, data } = (await streams[0].next()) ?? { event: 'end', data: null };
    kinds.set(event === 'alert' ? data.kind : event, data);
    expect(dashboardEvent.safeParse({ event, data }).error).toBeUndefined();
  }
  expect(kinds.get('mandate')).toMatchObject({ id });
  const alerts = (await dashboard.post('/api/alerts/list', {}, payer.token)).data.data;
  expect(alerts.map(({ kind }: Json) => kind)).toContain('budget_50');
});

test('each alert comes down the stream once: at 50, 80 and 100 percent, and a day before the end [dashboard.alerts.events] [dashboard.alerts.budget] [dashboard.alerts.expires-soon]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { totalBudget: '10', perTxLimit: '10', validDays: 2 });
  const stream = await followed(owner);
  const kinds: string[] = [];
  const alertsUntil = async (kind: string) => {
    const { kind: told, mandateId } = await stream.until('alert');
    expect(mandateId).toBe(id);
    kinds.push(told);
    if (told !== kind) await alertsUntil(kind);
  };
  const log = createLogger('test', 'silent');
  const database = await openDatabase(dashboard.config.storage, log);
  onTestFinished(database.close);
  const teller = createTeller(database.pool, log);
  const dayBefore = new Date(dashboard.clock.now.getTime() + day);
  await sweep(database.pool, dayBefore, teller.tell);
  await alertsUntil('expires_soon');
  await calls.spend(owner, id, '5');
  await sweep(database.pool, dayBefore, teller.tell);
  await calls.spend(owner, id, '1');
  await alertsUntil('budget_50');
  await calls.spend(owner, id, '3');
  await alertsUntil('budget_80');
  await calls.spend(owner, id, '1');
  await alertsUntil('budget_100');
  expect(kinds).toEqual(['expires_soon', 'budget_50', 'budget_80', 'budget_100']);
  await teller.stop();
});

test('an approval is told when it is asked, decided and used [dashboard.events.kinds]', async () => {
  const owner = await dashboard.newAccount();
  const stream = await followed(owner);
  const asked = askedOf(owner.address, dashboard.clock.now);
  const { approval } = (await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...asked })).data;
  expect(await stream.until('approval')).toEqual(approval);
  await dashboard.post('/api/approvals/use', { apiKey: owner.apiKey, approvalId: asked.approvalId });
  expect(await stream.until('approval')).toMatchObject({ state: 'used' });
  const other = { ...askedOf(owner.address, dashboard.clock.now) };
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...other });
  await dashboard.post(`/api/approvals/${other.approvalId}/reject`, {}, owner.token);
  await stream.until('approval', has({ approvalId: other.approvalId, state: 'rejected' }));
});

test('nothing is told of other accounts [dashboard.events.own-only]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const stream = await followed(mine);
  const id = await dashboard.newMandate(theirs, { totalBudget: '1' });
  await calls.spend(theirs, id, '1');
  const asked = askedOf(theirs.address, dashboard.clock.now);
  await dashboard.post('/api/approvals', { apiKey: theirs.apiKey, ...asked });
  const draft = await dashboard.draftMandate(mine.token);
  expect(await stream.next()).toEqual({ event: 'mandate', data: draft.mandate });
});

test('what happens on one process is told by every other [dashboard.events.every-process]', async () => {
  const owner = await dashboard.newAccount();
  const there = await followed(owner, sibling);
  const draft = await dashboard.draftMandate(owner.token);
  expect(await there.until('mandate')).toEqual(draft.mandate);
});

test('a stream ends with its session, on every process: logged out, ended elsewhere, expired [dashboard.events.session-end]', async () => {
  const wallet = newWallet();
  const session = async () => (await dashboard.loginReply(wallet)).data as { token: string };
  const [first, second, third] = [await session(), await session(), await session()];
  const streams = [await followed(first), await followed(second, sibling), await followed(third)] as const;
  await dashboard.post('/api/auth/logout', {}, first.token);
  expect(await streams[0].ended()).toBe(true);
  const listed = (await dashboard.request('GET', '/api/auth/sessions', { token: third.token })).data.data;
  const other = listed.find(({ current }: Json) => !current);
  await dashboard.request('DELETE', `/api/auth/sessions/${other.id}`, { token: third.token });
  expect(await streams[1].ended()).toBe(true);

  beat();
  expect(await streams[2].comment()).toBe(': still here');
  dashboard.clock.advance(12 * 60 * 60_000);
  sibling.clock.now = dashboard.clock.now;
  beat();
  expect(await streams[2].ended()).toBe(true);
});

test('a silent stream shows that it lives [dashboard.events.keep-alive]', async () => {
  const stream = await followed(await dashboard.newAccount());
  for (let i = 0; i < 6; i++) {
    beat();
    expect(await stream.comment()).toBe(': still here');
  }
});

test('an account has eight streams at a time, and another one when it lets go of one [dashboard.events.bounded]', async () => {
  const owner = await dashboard.newAccount();
  const open = await Promise.all(Array.from({ length: 8 }, () => followed(owner)));
  const refused = await dashboard.request('GET', '/api/events', { token: owner.token });
  expect(refused).toMatchObject({ status: 429, code: 80000061 });
  expect(refused.headers.get('retry-after')).toBe('15');
  await followed(await dashboard.newAccount());
  await open[0]?.leave();
  await expect.poll(() => opens(owner)).toBe(200);
});

/** Returns whether a stream can be opened; it is let go at once. */
async function opens(owner: { token: string }): Promise<number> {
  const leaving = new AbortController();
  const { status } = await fetch(`${dashboard.url}/api/events`, {
    headers: bearer(owner),
    signal: leaving.signal,
  });
  leaving.abort();
  return status;
}

test('who does not read makes nobody wait [dashboard.events.slow-reader]', async () => {
  const owner = await dashboard.newAccount();
  const { port } = new URL(dashboard.url);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET /api/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${owner.token}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const stream = await followed(owner);
  const { mandateId } = await dashboard.draftMandate(owner.token);
  const titles = Array.from({ length: 40 }, (_, i) => `Title ${i}`);
  for (const title of titles) await calls.update(owner, mandateId, { title });
  const last = await stream.until('mandate', has({ title: titles.at(-1) }));
  expect(last.id).toBe(mandateId);
});

test('when its connection to the database is lost, streams end, and open again soon [dashboard.events.gap]', async () => {
  const alone = await openDashboardForTest({}, { every });
  const owner = await alone.newAccount();
  const stream = await followed(owner, alone);
  const { storage } = alone.config;
  const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen dashboard_notice' and datname = current_database()`,
  );
  expect(await stream.ended()).toBe(true);
  await expect
    .poll(
      async () => {
        const next = await followed(owner, alone);
        await alone.draftMandate(owner.token);
        return (await next.next())?.event;
      },
      { timeout: 20_000 },
    )
    .toBe('mandate');
});

test('stopping ends streams at once [dashboard.events.stop]', async () => {
  const stopping = await openDashboard({}, { every });
  const owner = await stopping.newAccount();
  const streams = [await followed(owner, stopping), await followed(owner, stopping)];
  const started = performance.now();
  await stopping.stop();
  expect(performance.now() - started).toBeLessThan(3_000);
  for (const stream of streams) expect(await stream.ended()).toBe(true);
});

test('a mandate that ends within a day is warned of once, and its end is told [dashboard.alerts.expires-soon] [dashboard.events.kinds]', async () => {
  const owner = await dashboard.newAccount();
  const [short, long] = [
    await dashboard.draftMandate(owner.token, { validDays: 3 }),
    await dashboard.newMandate(owner, { validDays: 2 }),
  ];
  const database = await openDatabase(dashboard.config.storage, createLogger('test', 'silent'));
  onTestFinished(database.close);
  const told: Json[] = [];
  const look = (at: number) => sweep(database.pool, new Date(at), (notice) => told.push(notice));
  const start = dashboard.clock.now.getTime();
  const mine = () => told.filter(({ to }) => to.includes(owner.account.id));
  await look(start + day - 1);
  expect(mine()).toEqual([]);
  await look(start + day);
  await look(start + day);
  expect(mine()).toEqual([{ kind: 'alert', id: expect.any(Number), to: [owner.account.id] }]);
  const { data } = (await dashboard.post('/api/alerts/list', {}, owner.token)).data;
  expect(data).toMatchObject([{ id: mine()[0].id, mandateId: long, kind: 'expires_soon' }]);
  await look(start + 2 * day);
  await look(start + 3 * day);
  expect(mine().slice(1)).toEqual([
    { kind: 'mandate', id: long, to: [owner.account.id] },
    { kind: 'mandate', id: short.mandateId, to: [owner.account.id] },
  ]);
});

test('two processes that look at once warn once [dashboard.alerts.expires-soon]', async () => {
  const owner = await dashboard.newAccount();
  await dashboard.newMandate(owner, { validDays: 1 });
  const database = await openDatabase(dashboard.config.storage, createLogger('test', 'silent'));
  onTestFinished(database.close);
  const told: Json[] = [];
  const looks = Array.from({ length: 8 }, () =>
    sweep(database.pool, dashboard.clock.now, (notice) => told.push(notice)),
  );
  await Promise.all(looks);
  expect(told.filter(({ to }) => to.includes(owner.account.id))).toHaveLength(1);
});
