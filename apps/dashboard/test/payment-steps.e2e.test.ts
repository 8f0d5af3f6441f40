import { createLogger } from '@countersign/service/logger';
import { createPool, type Pool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRecorder, type Reported } from '../src/transactions/record.ts';
import { stepsSettler } from '../src/transactions/steps.ts';
import { rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { askedOf, signatureOf } from './approvals.ts';
import { openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let pool: Pool;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { storage } = dashboard.config;
  pool = createPool(storage.kind === 'given' ? storage.url : '', createLogger('test', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await dashboard.stop();
});

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const report = async (owner: Owner, serviceResult: string, metadata: object, more: object = {}) => {
  const body = { apiKey: owner.apiKey, ...paymentOf(owner.address, { serviceResult, metadata, ...more }) };
  const reply = await dashboard.post('/api/transactions', body);
  expect(reply).toMatchObject({ status: 201 });
  return Number(reply.data.id);
};
const list = async ({ token }: Owner, query = '') =>
  (await dashboard.request('GET', `/api/transactions?scope=myAll${query}`, { token })).data;
const open = async ({ token }: Owner, id: number) =>
  (await dashboard.request('GET', `/api/transactions/${id}`, { token })).data.transaction;

const asks = { code: 'WALLET_APPROVAL_REQUIRED', reason: 'PER_TX_LIMIT_EXCEEDED', toolName: 'write_report' };

test('one payment is one record from its refusal through the approval to its settlement, which tells all of it [dashboard.transactions.steps]', async () => {
  const owner = await dashboard.newAccount();
  const { token, apiKey } = owner;
  const asked = askedOf(owner.address, dashboard.clock.now);
  const { approvalId } = asked;
  expect(await dashboard.post('/api/approvals', { apiKey, ...asked })).toMatchObject({ status: 200 });

  await report(owner, 'reject', { ...asks, approvalId });
  dashboard.clock.advance(1000);
  await report(owner, 'reject', { ...asks, approvalId });
  expect(await list(owner)).toMatchObject({
    total: 1,
    data: [{ serviceResult: 'reject', reason: 'PER_TX_LIMIT_EXCEEDED', toolName: 'write_report' }],
  });
  // What is counted in days already is counted anew.
  await rollUpAdvancer(pool)(new Date(dashboard.clock.now.getTime() + 60_000));
  dashboard.clock.advance(60_000);
  const body = { signature: signatureOf(owner.wallet, asked) };
  const approve = `/api/approvals/${approvalId}/approve`;
  expect(await dashboard.post(approve, body, token)).toMatchObject({ status: 200 });
  dashboard.clock.advance(1000);
  const nonce = `0x${'07'.repeat(32)}`;
  await report(owner, 'error', { code: 'PAYMENT_OUTCOME_UNKNOWN', approvalId, nonce });
  dashboard.clock.advance(1000);
  const settled = await report(
    owner,
    'pass',
    { code: 'SUCCESS', approvalId, nonce },
    { txHash: `0x${'1'.repeat(64)}` },
  );

  const { total, data } = await list(owner);
  expect([total, data.map(({ id }: { id: number }) => id)]).toEqual([1, [settled]]);
  expect((await list(owner, '&serviceResult=reject')).total).toBe(0);
  const { steps } = await open(owner, settled);
  expect(steps).toMatchObject([
    { kind: 'record', result: 'reject', reason: 'PER_TX_LIMIT_EXCEEDED' },
    { kind: 'record', result: 'reject' },
    { kind: 'approved', result: null, reason: null },
    { kind: 'record', result: 'error', reason: 'PAYMENT_OUTCOME_UNKNOWN' },
    { kind: 'record', result: 'pass' },
  ]);
  await rollUpAdvancer(pool)(new Date(dashboard.clock.now.getTime() + 60_000));
  expect((await list(owner)).total).toBe(1);
});

test('no record of money that moved, and none of somebody else, is left out for naming the same payment [dashboard.transactions.steps.never-money]', async () => {
  const [owner, stranger] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const metadata = { approvalId: 'apr_shared' };
  const passed = [
    await report(owner, 'pass', metadata, { txHash: `0x${'2'.repeat(64)}` }),
    await report(owner, 'pass', metadata, { txHash: `0x${'3'.repeat(64)}` }),
  ];
  const late = await report(owner, 'reject', metadata);
  const theirs = await report(stranger, 'reject', metadata);
  const ids = async (of: Owner) => (await list(of)).data.map(({ id }: { id: number }) => id);
  expect(await ids(owner)).toEqual(passed.toReversed());
  expect(await ids(stranger)).toEqual([theirs]);
  expect(await open(owner, late)).toMatchObject({ serviceResult: 'reject' });
  // A word about a payment with somebody tells them nothing of how it came about.
  const sold = await report(owner, 'pass', { approvalId: 'apr_2' }, { payee: stranger.address });
  expect(await open(stranger, sold)).toMatchObject({ steps: null, toolName: null, reason: null });
});

test('a nonce is of one payment only on its chain and to its payee [dashboard.transactions.steps.never-money]', async () => {
  const [owner, ...payees] = [
    await dashboard.newAccount(),
    await dashboard.newAccount(),
    await dashboard.newAccount(),
  ];
  for (const { address: payee } of payees)
    for (const chain of ['base', 'base-sepolia'])
      for (const result of ['reject', 'error']) await report(owner, result, { nonce: '7' }, { payee, chain });
  expect((await list(owner)).data).toMatchObject([1, 2, 3, 4].map(() => ({ serviceResult: 'error' })));
});

test('who was paid is not told what the owner said by naming their approval [dashboard.transactions.steps.never-money]', async () => {
  const [owner, payee] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const asked = askedOf(owner.address, dashboard.clock.now);
  const { approvalId } = asked;
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...asked });
  const reject = `/api/approvals/${approvalId}/reject`;
  expect(await dashboard.post(reject, { reason: 'none of them' }, owner.token)).toMatchObject({
    status: 200,
  });
  const parties = { payer: owner.address, payee: payee.address };
  const sold = await report(payee, 'reject', { approvalId }, parties);
  expect((await open(payee, sold)).steps).toMatchObject([{ kind: 'record' }]);
  const refused = await report(owner, 'reject', { approvalId }, parties);
  expect((await open(owner, refused)).steps).toMatchObject([{ kind: 'rejected' }, { kind: 'record' }]);
});

test('reports of one payment that come at once are one record too [dashboard.transactions.steps]', async () => {
  const owner = await dashboard.newAccount();
  const results = ['reject', 'reject', 'pass', 'reject', 'error'];
  await Promise.all(results.map((result) => report(owner, result, { approvalId: 'apr_at_once' })));
  expect(await list(owner)).toMatchObject({ total: 1, data: [{ serviceResult: 'pass' }] });
});

test('what cannot be settled stands once, and is one row as soon as it can be [dashboard.transactions.steps.made-good]', async () => {
  const owner = await dashboard.newAccount();
  const errors: unknown[] = [];
  const now = () => dashboard.clock.now;
  const record = createRecorder(pool, now, undefined, (error) => errors.push(error));
  const reports = ['reject', 'pass'].map((serviceResult) => ({
    report: paymentOf(owner.address, { serviceResult, metadata: { approvalId: 'apr_unsettled' } }),
    reporter: null,
    by: 'operator' as const,
  }));
  const settle = 'function dashboard.settle_steps';
  await pool.query(`alter ${settle} rename to settle_steps_away`);
  // The first goes alone; the two after it go together.
  await Promise.all([reports[0], ...reports].map((one) => record(one as Reported)));
  await pool.query(`alter ${settle}_away rename to settle_steps`);
  expect(errors).toHaveLength(1);
  expect((await list(owner)).total).toBe(3);
  await stepsSettler(pool)(now());
  expect(await list(owner)).toMatchObject({ total: 1, data: [{ serviceResult: 'pass' }] });
});

test('tool, agent and reason narrow the list, its total and the file, and tell the other party nothing [dashboard.transactions.list.noted]', async () => {
  const [owner, payee] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const noted = { toolName: 'get_quote', agent: 'researcher', code: 'SUCCESS' };
  const shown = await report(owner, 'pass', noted, { payee: payee.address, txHash: '0x77' });
  await report(owner, 'reject', { ...noted, agent: 'buyer', reason: 'MANDATE_PAUSED' });
  await report(owner, 'reject', { toolName: 7, agent: ['x'], code: null });
  for (const [query, total] of [
    ['&toolName=get_quote', 2],
    ['&agent=researcher', 1],
    ['&reason=MANDATE_PAUSED', 1],
    ['&reason=SUCCESS&toolName=get_quote&serviceResult=pass', 1],
    ['&toolName=other', 0],
  ] as const)
    expect([query, (await list(owner, query)).total]).toEqual([query, total]);
  expect((await list(payee, '&standing=claimed')).data).toMatchObject([{ id: shown, toolName: null }]);
  expect((await list(payee, '&standing=claimed&toolName=get_quote')).total).toBe(0);
  const { token } = owner;
  const file = await fetch(`${dashboard.url}/api/transactions?scope=myAll&format=csv&agent=buyer`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await file.text()).trimEnd().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/,get_quote,buyer,MANDATE_PAUSED$/),
  ]);
});
