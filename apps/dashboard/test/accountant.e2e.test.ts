import { keyScopes } from '@countersign/protocol/dashboard/key-scopes';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from './agents.ts';
import { type Json, newWallet, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let agents: ReturnType<typeof agentCalls>;
let operator: Owner;
const operatorWallet = newWallet();
beforeAll(async () => {
  dashboard = await openDashboard({ operators: new Set([operatorWallet.address]) });
  operator = await dashboard.newAccount(operatorWallet);
  agents = agentCalls(dashboard);
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

const newKey = async ({ token }: Pick<Owner, 'token'>, reach: object): Promise<string> =>
  (await dashboard.post('/api/keys', { name: 'books', ...reach }, token)).data.apiKey;
const booksOf = (owner: Owner) => newKey(owner, { scopes: ['transactions:read'] });
const read = (token: string, path: string) => dashboard.request('GET', path, { token });
const year = 'startDate=2026-01-01&endDate=2027-01-01';
const sumsOf = async (token: string, by: string, more = `scope=myPayer&${year}`): Promise<readonly Json[]> =>
  (await read(token, `/api/transactions/sums?by=${by}&${more}`)).data.data;
const report = (apiKey: string, body: object) => dashboard.post('/api/transactions', { apiKey, ...body });
const download = async (token: string, path: string) => {
  const answer = await fetch(`${dashboard.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: Buffer.from(await answer.arrayBuffer()).toString(),
  };
};

/** Two agents and their owner, who pay two merchants in two months, in two tokens. */
async function booksToKeep() {
  const owner = await dashboard.newAccount();
  const [one, two] = [await agents.newAgent(owner), await agents.newAgent(owner)];
  const [shop, mill] = [newWallet().address, newWallet().address];
  const paid = (payer: string, payee: string, amount: string, more: object = {}) =>
    report(owner.apiKey, paymentOf(payer, { payee, amount, tokenSymbol: 'USDC', ...more }));
  await paid(one.address, shop, '0.1');
  await paid(one.address, mill, '0.000001');
  await paid(two.address, shop, '2');
  await paid(owner.address, shop, '0.4');
  await paid(two.address, shop, '5', { serviceResult: 'reject' });
  await paid(two.address, shop, '7', { tokenSymbol: 'EURC' });
  return { owner, one, two, shop, mill };
}

const readers = ['/api/transactions?scope=myAll', `/api/transactions/sums?scope=myPayer&by=month&${year}`];

test('a key reads the log and its sums with transactions:read, and with no other scope [dashboard.key.accountant]', async () => {
  const owner = await dashboard.newAccount();
  const asked = Object.values(dashboardRoutes).filter(({ auth }) => auth === 'session-or-key');
  expect(asked.map(({ path }) => path)).toEqual(readers.map((path) => path.split('?')[0]));
  for (const scope of keyScopes) {
    const apiKey = await newKey(owner, { scopes: [scope] });
    const good = { status: 200, code: 80000000 };
    const lacking = { status: 403, code: 80000004, data: { missingScope: 'transactions:read' } };
    for (const path of readers)
      expect(await read(apiKey, path)).toMatchObject(scope === 'transactions:read' ? good : lacking);
  }
  for (const path of readers) {
    expect(await read(owner.apiKey, path)).toMatchObject({ status: 403, code: 80000004 });
    expect(await read(owner.token, path)).toMatchObject({ status: 200 });
    expect(await read(`csk_${'A'.repeat(43)}`, path)).toMatchObject({ status: 401, code: 80000040 });
  }
});

test('an accountant’s key reads nothing but its own account’s log and sums [dashboard.key.accountant]', async () => {
  const { owner, shop } = await booksToKeep();
  const books = await booksOf(owner);
  expect((await read(books, readers[0] ?? '')).data.total).toBe(6);
  const { text } = await download(books, '/api/transactions?scope=myAll&format=csv');
  expect(text.trimEnd().split('\r\n')).toHaveLength(7);
  const stranger = await booksOf(await dashboard.newAccount());
  expect((await read(stranger, readers[0] ?? '')).data.total).toBe(0);
  expect(await sumsOf(stranger, 'month')).toEqual([]);
  // Everything else is closed: each route of a session, and of a key.
  const { id } = (await report(owner.apiKey, paymentOf(owner.address, { payee: shop }))).data;
  expect(await read(books, `/api/transactions/${id}`)).toMatchObject({ status: 401, code: 80000019 });
  for (const { method, path } of Object.values(dashboardRoutes).filter(({ auth }) => auth === 'session')) {
    const options = method === 'GET' ? { token: books } : { token: books, body: {} };
    expect([path, (await dashboard.request(method, path, options)).code]).toEqual([path, 80000019]);
  }
  for (const { path } of Object.values(dashboardRoutes).filter(({ auth }) => auth === 'api-key'))
    expect([path, (await dashboard.post(path, { apiKey: books })).status]).toEqual([path, 403]);
});

test('no key reads everybody’s log: neither an operator’s account’s nor an operator key [dashboard.key.accountant]', async () => {
  const everybody = '/api/transactions?scope=all';
  expect(await read(operator.token, everybody)).toMatchObject({ status: 200 });
  expect(await read(await booksOf(operator), everybody)).toMatchObject({ status: 403, code: 80000004 });
  const { apiKey } = await dashboard.newOperatorKey();
  for (const path of [everybody, ...readers])
    expect(await read(apiKey, path)).toMatchObject({ status: 403, code: 80000004 });
});

test('sums are exact, for each token, by month, wallet or counterparty [dashboard.transactions.sums]', async () => {
  const { owner, one, two, shop, mill } = await booksToKeep();
  const books = await booksOf(owner);
  const none = { month: null, wallet: null, counterparty: null };
  const usdc = (transactions: number, amount: string, atomicAmount: string) => ({
    tokenSymbol: 'USDC',
    transactions,
    amount,
    atomicAmount,
  });
  const eurc = { tokenSymbol: 'EURC', transactions: 1, amount: '7', atomicAmount: null };
  expect(await sumsOf(books, 'month')).toEqual([
    { ...none, month: '2026-11', ...eurc },
    { ...none, month: '2026-11', ...usdc(4, '2.500001', '2500001') },
  ]);
  const byWallet = [
    { ...none, wallet: one.address, ...usdc(2, '0.100001', '100001') },
    { ...none, wallet: two.address, ...usdc(1, '2', '2000000') },
    { ...none, wallet: owner.address, ...usdc(1, '0.4', '400000') },
    { ...none, wallet: two.address, ...eurc },
  ];
  const wallets = await sumsOf(books, 'wallet');
  expect(wallets).toHaveLength(4);
  expect(wallets).toEqual(expect.arrayContaining(byWallet));
  const merchants = await sumsOf(books, 'counterparty');
  expect(merchants).toEqual(
    expect.arrayContaining([
      { ...none, counterparty: shop, ...usdc(3, '2.5', '2500000') },
      { ...none, counterparty: mill, ...usdc(1, '0.000001', '1') },
    ]),
  );
  const all = await sumsOf(books, 'month,wallet,counterparty');
  expect(all).toContainEqual({
    month: '2026-11',
    wallet: one.address,
    counterparty: mill,
    ...usdc(1, '0.000001', '1'),
  });
  // What they were paid, and by whom: nothing here.
  expect(await sumsOf(books, 'month', `scope=myPayee&${year}`)).toEqual([]);
  expect(await sumsOf(books, 'month', `scope=myPayer&${year}&chain=polygon`)).toEqual([]);
  expect(await sumsOf(books, 'month', 'scope=myPayer&startDate=2026-01-01&endDate=2026-11-21')).toEqual([]);
});

test('what others merely claim is in no sum; a merchant’s own word is in theirs [dashboard.transactions.sums]', async () => {
  const [payer, merchant] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const claim = paymentOf(payer.address, { payee: merchant.address, amount: '3', tokenSymbol: 'USDC' });
  await report(merchant.apiKey, claim);
  expect(await sumsOf(await booksOf(payer), 'month')).toEqual([]);
  expect(await sumsOf(await booksOf(merchant), 'wallet,counterparty', `scope=myPayee&${year}`)).toEqual([
    {
      month: null,
      wallet: merchant.address,
      counterparty: payer.address,
      tokenSymbol: 'USDC',
      transactions: 1,
      amount: '3',
      atomicAmount: '3000000',
    },
  ]);
});

test('sums download as CSV, in which no text becomes a formula [dashboard.transactions.sums.csv]', async () => {
  const owner = await dashboard.newAccount();
  await report(owner.apiKey, paymentOf(owner.address, { amount: '1', tokenSymbol: '=1+1' }));
  const books = await booksOf(owner);
  const { status, type, text } = await download(
    books,
    `/api/transactions/sums?scope=myPayer&by=month&format=csv&${year}`,
  );
  expect([status, type]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  expect(text).toBe(
    "\ufeffmonth,wallet,counterparty,tokenSymbol,transactions,amount,atomicAmount\r\n2026-11,,,'=1+1,1,1,\r\n",
  );
});

test('a range that is reversed, unnamed or above 366 days, and groups that are none, are refused [dashboard.transactions.sums.range]', async () => {
  const books = await booksOf(await dashboard.newAccount());
  const ask = (query: string) => read(books, `/api/transactions/sums?${query}`);
  const good = `scope=myPayer&by=month&${year}`;
  expect(await ask(good)).toMatchObject({ status: 200 });
  for (const query of [
    good.replace('endDate=2027-01-01', 'endDate=2026-01-01'),
    good.replace('endDate=2027-01-01', 'endDate=2027-01-03'),
    good.replace('by=month', 'by=day'),
    good.replace('by=month', 'by=month,'),
    good.replace('scope=myPayer', 'scope=all'),
  ])
    expect(await ask(query)).toMatchObject({ status: 400, code: 80000012 });
  expect(await ask('scope=myPayer&by=month')).toMatchObject({ status: 400, code: 80000002 });
});
