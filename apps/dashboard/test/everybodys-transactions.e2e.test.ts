import { afterAll, beforeAll, expect, test } from 'vitest';
import { complianceOf, type Person } from './compliance-people.ts';
import { newWallet, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

const operatorWallet = newWallet();

let dashboard: TestDashboard;
let operator: Person;
let payer: Person;
let payee: Person;
let paidId: number;
const hash = `0x${'ab'.repeat(32)}`;
beforeAll(async () => {
  dashboard = await openDashboard({ operators: new Set([operatorWallet.address]) });
  [operator, payer, payee] = [
    await dashboard.newAccount(operatorWallet),
    await dashboard.newAccount(),
    await dashboard.newAccount(),
  ];
  const screened = { payerKycResult: 1, payeeKytResult: 1, payeeKytRiskLevel: 2 };
  const metadata = { traceId: 'first', toolName: 'get_quote', code: 'SUCCESS' };
  const report = async (by: Person, body: object) => {
    const reply = await dashboard.post('/api/transactions', { apiKey: by.apiKey, ...body });
    expect(reply.status).toBe(201);
    return reply.data.id as number;
  };
  const between = { payee: payee.address, txHash: hash, ...screened };
  paidId = await report(payer, paymentOf(payer.address, { ...between, metadata }));
  dashboard.clock.advance(1000);
  // The same payment in the word of the other party, and one that only the payee claims.
  await report(payee, paymentOf(payer.address, { ...between, metadata: { traceId: 'second' } }));
  dashboard.clock.advance(1000);
  await report(
    payee,
    paymentOf(newWallet().address, { payee: payee.address, serviceResult: 'reject', chain: '8453' }),
  );
});
afterAll(() => dashboard.stop());

const list = (by: Person, query: Readonly<Record<string, string>> = {}) =>
  dashboard.request(
    'GET',
    `/api/transactions?${new URLSearchParams({ scope: 'all', ...query }).toString()}`,
    {
      token: by.token,
    },
  );
const one = (by: Person, id: number | string, scope = '?scope=all') =>
  dashboard.request('GET', `/api/transactions/${id}${scope}`, { token: by.token });

test('an operator sees every record of everybody once, newest first, with all screenings [dashboard.transactions.everybody]', async () => {
  const { status, data } = await list(operator);
  expect([status, data.total]).toEqual([200, 3]);
  expect(data.data).toMatchObject([
    { serviceResult: 'reject', reportedBy: 'payee', payee: payee.address },
    { reportedBy: 'payee', payerKycResult: 1, payeeKytRiskLevel: 2 },
    { id: paidId, reportedBy: 'payer', payerKycResult: 1, payeeKytRiskLevel: 2, txHash: hash },
  ]);
  expect(data.data[0]).not.toHaveProperty('metadata');
});

test('filters, pages and a wallet narrow it as one’s own [dashboard.transactions.everybody]', async () => {
  const total = async (query: Record<string, string>) => (await list(operator, query)).data.total;
  expect(await total({ serviceResult: 'reject' })).toBe(1);
  expect(await total({ chain: 'base' })).toBe(3);
  expect(await total({ txHash: hash.toUpperCase().replace('0X', '0x') })).toBe(2);
  expect(await total({ serviceName: 'nothing' })).toBe(0);
  expect(await total({ endDate: '2026-11-20' })).toBe(0);
  // What a wallet sees itself, and what is claimed of it: one payment is one row.
  expect(await total({ walletAddress: payer.address })).toBe(1);
  expect(await total({ walletAddress: payee.address })).toBe(2);
  expect(await total({ walletAddress: newWallet().address })).toBe(0);
  const first = (await list(operator, { limit: '2' })).data;
  const rest = (await list(operator, { limit: '2', cursor: first.nextCursor })).data;
  expect([...first.data, ...rest.data].map(({ id }: { id: number }) => id)).toEqual(
    (await list(operator)).data.data.map(({ id }: { id: number }) => id),
  );
});

test('its CSV has every record with mandate, tool, agent and reason [dashboard.transactions.everybody]', async () => {
  const response = await fetch(`${dashboard.url}/api/transactions?scope=all&format=csv`, {
    headers: { authorization: `Bearer ${operator.token}` },
  });
  expect(response.headers.get('content-type')).toContain('text/csv');
  const lines = (await response.text()).trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[3]).toContain('get_quote');
});

test('one record is shown whole, with metadata, only where it is asked for as an operator [dashboard.transactions.everybody]', async () => {
  expect((await one(operator, paidId)).data.transaction).toMatchObject({
    id: paidId,
    metadata: { traceId: 'first', toolName: 'get_quote' },
  });
  expect(await one(operator, paidId, '')).toMatchObject({ status: 404, code: 80000011 });
  for (const id of [999_999, 'x', '1e3'])
    expect(await one(operator, id)).toMatchObject({ status: 404, code: 80000011 });
});

test('it is for operators, and what does not go with it is refused [dashboard.transactions.everybody]', async () => {
  expect(await list(payer)).toMatchObject({ status: 403, code: 80000004, data: null });
  expect(await one(payer, paidId)).toMatchObject({ status: 403, code: 80000004, data: null });
  const invalid = { status: 400, code: 80000012 };
  expect(await list(operator, { standing: 'claimed' })).toMatchObject(invalid);
  expect(await list(operator, { scope: 'myAll', walletAddress: payer.address })).toMatchObject(invalid);
  expect(await list(operator, { walletAddress: '0x1' })).toMatchObject(invalid);
  // With their own scopes operators see their own, as everybody does.
  expect((await list(operator, { scope: 'myAll' })).data.total).toBe(0);
});

test('every look is on record before it is answered, with what was asked for [dashboard.transactions.everybody.on-record]', async () => {
  const people = complianceOf(dashboard);
  const looks = async () => (await people.history(operator, { about: 'reads' })).length;
  const before = await looks();
  await list(payer);
  await list(operator, { standing: 'claimed' });
  await list(operator, { scope: 'myAll' });
  expect(await looks()).toBe(before);
  await list(operator, { walletAddress: payer.address, serviceResult: 'pass' });
  await one(operator, paidId);
  const [second, first] = await people.history(operator, { about: 'reads' });
  const about = { deed: 'read', by: operator.address, at: dashboard.clock.now.toISOString() };
  expect(first).toMatchObject({
    ...about,
    walletAddress: payer.address,
    detail: { scope: 'all', serviceResult: 'pass' },
  });
  expect(second).toMatchObject({ ...about, walletAddress: null, detail: { transactionId: paidId } });
});
