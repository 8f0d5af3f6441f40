import { createLogger } from '@countersign/service/logger';
import { createPool, type Pool } from '@countersign/service/sql';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { type Json, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

// Lists of an account over some months, against a model that filters an array.

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
let dashboard: TestDashboard;
let pool: Pool;
let owner: Owner;
let other: Owner;
/** Every record, newest first, as the log should have them. */
const made: Json[] = [];

const minute = 60_000;
const drafts = fc.record({
  // Often at the same moment, sometimes over midnight or into the next month.
  wait: fc.constantFrom(0, 0, 1, 7 * minute, 500 * minute, 3000 * minute),
  sides: fc.constantFrom('paid', 'paid to nobody', 'earned', 'claimed', 'to myself'),
  serviceResult: fc.constantFrom('pass', 'pass', 'reject', 'error'),
  chain: fc.constantFrom('base', 'polygon'),
  serviceName: fc.constantFrom('quotes', 'archive'),
  hash: fc.constantFrom(null, 'a', 'b'),
  amount: fc.constantFrom('0.1', '0.000000000000000001', undefined),
});

beforeAll(async () => {
  dashboard = await openDashboard();
  const { storage } = dashboard.config;
  pool = createPool(storage.kind === 'given' ? storage.url : '', createLogger('test', 'silent'));
  [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  for (const [i, { wait, sides, hash, ...about }] of fc.sample(drafts, { numRuns: 130, seed: 7 }).entries()) {
    dashboard.clock.advance(wait);
    const payer = sides === 'earned' || sides === 'claimed' ? other.address : owner.address;
    const payee = sides === 'paid' ? other.address : owner.address;
    await report(sides === 'claimed' ? other : owner, {
      ...about,
      payer,
      ...(sides !== 'paid to nobody' && { payee }),
      ...(hash !== null && { txHash: `0x${hash}${i}` }),
    });
    // The roll-up follows somewhere behind.
    if (i % 37 === 0) await rollUpAdvancer(pool)(dashboard.clock.now);
  }
  owner = { ...owner, token: (await dashboard.loginReply(owner.wallet)).data.token };
});
afterAll(async () => {
  await pool.end();
  await dashboard.stop();
});

async function report(by: Owner, about: Json): Promise<void> {
  const body = paymentOf(by.address, about);
  const { data } = await dashboard.post('/api/transactions', { apiKey: by.apiKey, ...body });
  const standing = by === other ? 'claimed' : 'counted';
  made.unshift({ ...body, standing, id: data.id, createdAt: dashboard.clock.now.toISOString() });
}

const list = (query: Record<string, string>) =>
  dashboard.request('GET', `/api/transactions?${new URLSearchParams(query).toString()}`, {
    token: owner.token,
  });
const idsOf = (records: readonly Json[]): number[] => records.map(({ id }) => id);

const moments = fc
  .tuple(fc.nat({ max: 129 }), fc.boolean())
  .map(([i, whole]) => (made[i].createdAt as string).slice(0, whole ? 10 : undefined));
const queries = fc.record(
  {
    scope: fc.constantFrom('myPayer', 'myPayee', 'myAll'),
    standing: fc.constantFrom('counted', 'claimed'),
    chain: fc.constantFrom('base', 'polygon', 'none'),
    serviceName: fc.constantFrom('quotes', 'archive'),
    serviceResult: fc.constantFrom('pass', 'reject', 'error'),
    txHash: fc.nat({ max: 129 }).map((i) => (made[i].txHash as string | undefined) ?? '0x0'),
    startDate: moments,
    endDate: moments,
  },
  { requiredKeys: ['scope'] },
) as fc.Arbitrary<Record<string, string>>;

/** What a query should list. */
function expected(query: Record<string, string>): readonly Json[] {
  const { scope, startDate = '0000-01-01', endDate = '9999-01-01', ...filters } = query;
  const same = { standing: 'counted', ...filters };
  const [start, end] = [Date.parse(startDate), Date.parse(endDate)];
  return made.filter((record) => {
    const sides = [record.payer === owner.address, record.payee === owner.address];
    const inScope = scope === 'myPayer' ? sides[0] : scope === 'myPayee' ? sides[1] : sides.includes(true);
    const time = Date.parse(record.createdAt);
    const isSame = Object.entries(same).every(([name, value]) => record[name] === value);
    return inScope && isSame && start <= time && time < end;
  });
}

test('any filters, any page: the records that match, in order, and exactly how many, wherever the roll-up stands [dashboard.transactions.list.filter.exact] [dashboard.transactions.list.filter.dates] [dashboard.transactions.list.order] [dashboard.transactions.list.total]', async () => {
  const places = fc.record({ page: fc.integer({ min: 1, max: 6 }), limit: fc.integer({ min: 1, max: 40 }) });
  await fc.assert(
    fc.asyncProperty(queries, places, async (query, { page, limit }) => {
      const { data } = await list({ ...query, page: `${page}`, limit: `${limit}` });
      const matching = expected(query);
      expect({ ids: idsOf(data.data), total: data.total }).toEqual({
        ids: idsOf(matching.slice((page - 1) * limit, page * limit)),
        total: matching.length,
      });
      expect('nextCursor' in data).toBe(matching.length > page * limit);
    }),
    { numRuns: 150 },
  );
});

test('cursors go through everything that matches, each record once [dashboard.transactions.list.cursor]', async () => {
  await fc.assert(
    fc.asyncProperty(queries, fc.integer({ min: 1, max: 30 }), async (query, limit) => {
      const seen: number[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { data } = await list({ ...query, limit: `${limit}`, ...(cursor !== '' && { cursor }) });
        seen.push(...idsOf(data.data));
        cursor = data.nextCursor;
      }
      expect(seen).toEqual(idsOf(expected(query)));
    }),
    { numRuns: 40 },
  );
});

test('a cursor goes on where it was, though new records have come [dashboard.transactions.list.cursor]', async () => {
  const before = idsOf(expected({ scope: 'myAll' }));
  const first = (await list({ scope: 'myAll', limit: '50' })).data;
  await report(owner, {});
  const rest = (await list({ scope: 'myAll', limit: '100', cursor: first.nextCursor })).data;
  expect([...idsOf(first.data), ...idsOf(rest.data)]).toEqual(before);
  expect(rest.total).toBe(before.length + 1);
});

test('a cursor that is none, or beside a page, is refused [dashboard.transactions.list.cursor]', async () => {
  const { nextCursor } = (await list({ scope: 'myAll' })).data;
  const refused = { status: 400, code: 80000012 };
  for (const cursor of ['x', '-', `${nextCursor}000000000000`, nextCursor.toUpperCase(), `0${nextCursor}`])
    expect(await list({ scope: 'myAll', cursor })).toMatchObject(refused);
  expect(await list({ scope: 'myAll', cursor: nextCursor, page: '2' })).toMatchObject(refused);
});

test('one record by its id, with metadata, mandate and screenings; others’ do not exist [dashboard.transactions.get]', async () => {
  const screenings = { payerKytRiskLevel: 0, payeeKycResult: 1 };
  const about = { ...screenings, serviceResult: 'reject', intentMandateId: 'mdt_1' };
  await report(owner, { ...about, metadata: { traceId: 'whole' } });
  const { id } = made[0];
  const get = (path: string, token?: string) =>
    dashboard.request('GET', `/api/transactions/${path}`, token === undefined ? {} : { token });
  const listed = (await list({ scope: 'myAll', limit: '1' })).data.data[0];
  const { status, data } = await get(id, owner.token);
  expect({ status, data }).toEqual({
    status: 200,
    data: { transaction: { ...listed, metadata: { traceId: 'whole' }, intentMandateId: 'mdt_1', steps: [] } },
  });
  expect(listed).toMatchObject(screenings);
  const stranger = await dashboard.newAccount();
  const none = { status: 404, code: 80000011, data: null };
  expect(await get(id, stranger.token)).toMatchObject(none);
  for (const path of ['0', `${id}999`, '1e1', '-1', 'first', '9'.repeat(30)])
    expect(await get(path, owner.token)).toMatchObject(none);
  expect(await get(id)).toMatchObject({ status: 401, code: 80000044 });
});
