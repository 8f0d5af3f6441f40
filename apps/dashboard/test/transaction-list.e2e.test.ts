import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const report = async (by: Owner, more: Record<string, unknown>): Promise<number> => {
  const reply = await dashboard.post('/api/transactions', {
    apiKey: by.apiKey,
    ...paymentOf(by.address, more),
  });
  expect(reply).toMatchObject({ status: 201 });
  return reply.data.id;
};
const list = (owner: Owner, query: string) =>
  dashboard.request('GET', `/api/transactions?${query}`, { token: owner.token });
const ids = async (owner: Owner, query: string): Promise<number[]> => {
  const reply = await list(owner, query);
  expect(reply).toMatchObject({ status: 200, code: 80000000 });
  expect(dashboardRoutes.listTransactions.data.safeParse(reply.data).error).toBeUndefined();
  return reply.data.data.map(({ id }: { id: number }) => id);
};

test('a record has every field of the log, but neither metadata nor the mandate [dashboard.transactions.list] [dashboard.transactions.list.record]', async () => {
  const owner = await dashboard.newAccount();
  await report(owner, { metadata: { secret: 1 }, serviceResult: 'reject', intentMandateId: 'mdt_x' });
  const { data } = await list(owner, 'scope=myAll');
  expect(Object.keys(data)).toEqual(['data', 'total', 'page', 'limit']);
  const parties =
    'payer payee payerKycResult payerKytResult payerKytRiskLevel payeeKycResult payeeKytResult payeeKytRiskLevel';
  const fields = `id serviceName serviceResult chain txHash amount amountExact tokenSymbol ${parties} reportedBy verified toolName agent reason createdAt`;
  expect(Object.keys(data.data[0]).sort()).toEqual(fields.split(' ').sort());
});

test('scope says on which side the account stands, each record once [dashboard.transactions.list.scope] [dashboard.transactions.list.own-only]', async () => {
  const [owner, merchant, stranger] = [
    await dashboard.newAccount(),
    await dashboard.newAccount(),
    await dashboard.newAccount(),
  ];
  const paid = await report(owner, { payee: merchant.address });
  const earned = await report(owner, { payer: merchant.address, payee: owner.address });
  const toMyself = await report(owner, { payee: owner.address });
  const elsewhere = await report(stranger, { payee: merchant.address });
  expect(await ids(owner, 'scope=myPayer')).toEqual([toMyself, paid]);
  expect(await ids(owner, 'scope=myPayee')).toEqual([toMyself, earned]);
  expect(await ids(owner, 'scope=myAll')).toEqual([toMyself, earned, paid]);
  expect(await ids(merchant, 'scope=myAll')).toEqual([]);
  expect(await ids(merchant, 'scope=myAll&standing=claimed')).toEqual([elsewhere, earned, paid]);
  expect(await ids(merchant, 'scope=myPayer&standing=claimed')).toEqual([earned]);
  expect(await ids(owner, 'scope=myAll&standing=claimed')).toEqual([]);
  expect(await ids(stranger, 'scope=myAll')).toEqual([elsewhere]);
  expect((await list(owner, 'scope=myAll')).data.total).toBe(3);
});

test('scope is required and one of three [dashboard.transactions.list.scope-required]', async () => {
  const owner = await dashboard.newAccount();
  expect(await list(owner, '')).toMatchObject({ status: 400, code: 80000002, msg: 'scope: is required' });
  expect(await list(owner, 'scope=theirs')).toMatchObject({ status: 400, code: 80000012 });
});

test('pages of 20 from page 1, or as asked, newest first, with an exact total [dashboard.transactions.list.page-and-limit] [dashboard.transactions.list.order] [dashboard.transactions.list.total]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const made: number[] = [];
  for (let i = 0; i < 23; i++) {
    made.unshift(await report(owner, i % 3 === 0 ? { payer: other.address, payee: owner.address } : {}));
  }
  for (const scope of ['myAll', 'myPayer']) {
    const own = scope === 'myAll' ? made : made.filter((_, i) => (22 - i) % 3 !== 0);
    expect(await ids(owner, `scope=${scope}`)).toEqual(own.slice(0, 20));
    expect(await ids(owner, `scope=${scope}&page=2`)).toEqual(own.slice(20));
    expect(await ids(owner, `scope=${scope}&page=3&limit=5`)).toEqual(own.slice(10, 15));
    expect(await ids(owner, `scope=${scope}&limit=100`)).toEqual(own);
    expect(await ids(owner, `scope=${scope}&page=9007199254740991&limit=100`)).toEqual([]);
    const { data } = await list(owner, `scope=${scope}&page=2&limit=7`);
    expect(data).toMatchObject({ total: own.length, page: 2, limit: 7 });
  }
});

test('filters list what matches all of them, and count it [dashboard.transactions.list.filter.exact] [dashboard.transactions.repeat.chain-names]', async () => {
  const owner = await dashboard.newAccount();
  const a = await report(owner, { chain: 'base', serviceName: 'quotes', txHash: '0x1' });
  const b = await report(owner, { chain: 'polygon', serviceName: 'quotes', txHash: '0x1' });
  const c = await report(owner, { chain: 'polygon', serviceName: 'archive', serviceResult: 'reject' });
  expect(await ids(owner, 'scope=myAll&chain=polygon')).toEqual([c, b]);
  expect(await ids(owner, 'scope=myPayer&txHash=0x1')).toEqual([b, a]);
  expect(await ids(owner, 'scope=myPayer&txHash=0X1')).toEqual([b, a]);
  for (const chain of ['base', '8453', 'eip155:8453', 'BASE', 'EIP155:8453', ' base'])
    expect(await ids(owner, `scope=myAll&chain=${chain}`)).toEqual([a]);
  expect(await ids(owner, 'scope=myAll&serviceName=quotes')).toEqual([b, a]);
  expect(await ids(owner, 'scope=myAll&serviceResult=reject')).toEqual([c]);
  const all =
    'chain=polygon&txHash=0x1&serviceName=quotes&serviceResult=pass&startDate=2020-01-01&endDate=2100-01-01';
  expect(await ids(owner, `scope=myAll&${all}`)).toEqual([b]);
  expect((await list(owner, `scope=myAll&${all}`)).data.total).toBe(1);
  expect(await ids(owner, `scope=myAll&serviceName=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
});

test('startDate belongs to the range, endDate does not [dashboard.transactions.list.filter.dates]', async () => {
  const owner = await dashboard.newAccount();
  dashboard.clock.now = new Date('2026-11-22T00:00:00.000Z');
  const { token } = (await dashboard.loginReply(owner.wallet)).data;
  const later = { ...owner, token };
  const first = await report(owner, {});
  dashboard.clock.advance(1);
  const second = await report(owner, {});
  const range = (start: string, end: string) =>
    ids(later, `scope=myAll&startDate=${encodeURIComponent(start)}&endDate=${encodeURIComponent(end)}`);
  expect(await range('2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.001Z')).toEqual([first]);
  expect(await range('2026-11-22T00:00:00.001Z', '2026-11-22T00:00:00.002Z')).toEqual([second]);
  expect(await range('2026-11-22T01:00:00+01:00', '2026-11-22T01:00:00.001+01:00')).toEqual([first]);
  expect(await range('2026-11-22', '2026-11-23')).toEqual([second, first]);
  expect(await range('2026-11-21', '2026-11-22')).toEqual([]);
  expect(await range('0000-01-01', '9999-12-31T23:59:59-23:59')).toEqual([second, first]);
});
