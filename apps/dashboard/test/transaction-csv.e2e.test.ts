import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const download = ({ token }: Owner, query: string) =>
  fetch(`${dashboard.url}/api/transactions?format=csv&${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
const report = (owner: Owner, more: Record<string, unknown> = {}) =>
  dashboard.post('/api/transactions', { apiKey: owner.apiKey, ...paymentOf(owner.address, more) });

/** RFC 4180, as a spreadsheet reads it. */
const readCsv = (text: string): string[][] =>
  text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );

test('every record that matches, newest first, under a line of names [dashboard.transactions.list.csv]', async () => {
  const owner = await dashboard.newAccount();
  const metadata = { toolName: 'get_quote', agent: 'researcher', code: 'SUCCESS', other: 1 };
  await report(owner, { amount: '0.005', txHash: '0x1', tokenSymbol: 'USDC', payerKycResult: 1, metadata });
  await report(owner, { serviceResult: 'reject' });
  await report(owner, { amount: undefined, chain: 'a "b", c' });
  const response = await download(owner, 'scope=myAll&serviceResult=pass');
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ]);
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="transactions-2026-11-21.csv"',
  );
  expect(response.headers.get('x-request-id')).toMatch(/./);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
  const [names, ...lines] = readCsv(new TextDecoder().decode(bytes));
  expect(names?.slice(-6)).toEqual(['reportedBy', 'verified', 'mandate', 'tool', 'agent', 'reason']);
  const noted = lines.map((line) => line.splice(-4));
  expect(noted).toEqual([
    ['', '', '', ''],
    ['', 'get_quote', 'researcher', 'SUCCESS'],
  ]);
  const records = lines.map((line) => Object.fromEntries(line.map((value, i) => [names?.[i], value])));
  const listed = (await dashboard.request('GET', '/api/transactions?scope=myAll&serviceResult=pass', owner))
    .data.data;
  expect(records).toEqual(
    listed.map((record: Record<string, string | number | null>) => {
      const shown = Object.entries(record).filter(
        ([name]) => !['toolName', 'agent', 'reason'].includes(name),
      );
      return Object.fromEntries(shown.map(([name, value]) => [name, `${value ?? ''}`]));
    }),
  );
  expect(records).toHaveLength(2);
});

test('a text that a spreadsheet would take for a formula is made harmless [dashboard.transactions.list.csv.formulas]', async () => {
  const owner = await dashboard.newAccount();
  const nasty = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'];
  for (const serviceName of nasty)
    await report(owner, { serviceName, tokenSymbol: '=x', txHash: `=${serviceName}` });
  const text = await (await download(owner, 'scope=myAll')).text();
  const [names = [], ...lines] = readCsv(text.replaceAll('\r=', '=').replaceAll('\t', ''));
  expect(lines).toHaveLength(nasty.length);
  for (const line of lines) {
    for (const column of ['serviceName', 'tokenSymbol', 'txHash'])
      expect(line[names.indexOf(column)]).toMatch(/^'/);
    for (const value of line) expect(value).not.toMatch(/^[=+\-@\t\r]/);
  }
});

test('a file of many pieces has each record once, in order [dashboard.transactions.list.csv]', async () => {
  const owner = await dashboard.newAccount();
  const { storage } = dashboard.config;
  const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
  await client.connect();
  await client.query(
    `insert into dashboard.transaction_log (id, reporter, service_name, service_result, chain, payer, payee, created_at)
     select nextval('dashboard.transaction_id'), 'operator', 'quotes', 'pass', 'base', case when n % 2 = 0 then $1 end,
       case when n % 3 > 0 then $1 end, timestamptz '2026-11-01 00:00+00' + n / 7 * interval '1 second'
     from generate_series(1, 4500) n`,
    [owner.address],
  );
  await client.end();
  const ids = readCsv(await (await download(owner, 'scope=myAll')).text())
    .slice(1)
    .map(([id]) => Number(id));
  expect(ids).toHaveLength(3750);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  expect(new Set(ids).size).toBe(3750);
});

test('of nothing there is the line of names alone; what is wrong is told in an envelope [dashboard.transactions.list.csv]', async () => {
  const owner = await dashboard.newAccount();
  expect(await (await download(owner, 'scope=myAll')).text()).toMatch(/^id,createdAt,[\w,]+\r\n$/);
  const get = (query: string) =>
    dashboard.request('GET', `/api/transactions?${query}`, { token: owner.token });
  const refused = { status: 400, code: 80000012, data: null };
  expect(await get('format=csv&scope=theirs')).toMatchObject(refused);
  expect(await get('format=xml&scope=myAll')).toMatchObject(refused);
  for (const place of ['page=1', 'limit=5', 'cursor=x'])
    expect(await get(`format=csv&scope=myAll&${place}`)).toMatchObject(refused);
  expect(await get('format=csv')).toMatchObject({ status: 400, code: 80000002 });
  expect(await dashboard.request('GET', '/api/transactions?format=csv&scope=myAll')).toMatchObject({
    status: 401,
    code: 80000044,
  });
});
