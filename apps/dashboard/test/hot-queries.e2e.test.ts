import type { Address } from '@countersign/protocol/address';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, migrate, type Pool } from '@countersign/service/sql';
import { Client, escapeLiteral } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findApproval, listApprovals } from '../src/approvals/store.ts';
import { readSpending } from '../src/overview/spending.ts';
import { readPage } from '../src/transactions/page.ts';
import { createRecorder, whyNotRecorded } from '../src/transactions/record.ts';
import type { Standing } from '../src/transactions/eyes.ts';
import type { Scope, TransactionFilter } from '../src/transactions/selection.ts';
import { findTransaction } from '../src/transactions/store.ts';
import { countTransactions } from '../src/transactions/total.ts';
import { makeMonths, rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { newDatabase, paymentOf } from './dashboard.ts';

// What is asked often must be answered from indexes, for any filter: PostgreSQL is asked how it would go about it.

const log = createLogger('test', 'silent');
const now = new Date('2026-11-21T12:00:00.000Z');
const wallet = `0x${'0'.repeat(40)}` as Address;

let pool: Pool;
let client: Client;
beforeAll(async () => {
  const url = await newDatabase();
  pool = createPool(url, log);
  client = new Client({ connectionString: url });
  await client.connect();
  await migrate(pool, migrationsOf('dashboard'));
  for (const month of ['2026-09', '2026-10', '2026-11']) await makeMonths(pool, new Date(`${month}-15`), log);
  await client.query(
    `insert into dashboard.transaction_log
       (id, reporter, service_name, service_result, chain, tx_hash, amount_exact, payer, payee, created_at)
     select n, 'acc', 'service-' || n % 20, case when n % 10 = 0 then 'reject' else 'pass' end, 'chain-' || n % 5,
       '0x' || n, 0.01, '0x' || lpad(to_hex(n % 499), 40, '0'), '0x' || lpad(to_hex(n % 487), 40, '0'),
       timestamptz '2026-09-01 00:00+00' + n * interval '2 minutes'
     from generate_series(1, 58000) n`,
  );
  await client.query(
    `insert into dashboard.transaction_key select 'acc', sha256(int8send(n)), n from generate_series(1, 58000) n`,
  );
  await client.query(
    `insert into dashboard.approval (payer, id, reporter, service_id, tool_name, arguments_hash, pay_to, asset, units,
       expires_text, chain_id, amount, currency, reason, state, created_at, expires_at)
     select '0x' || lpad(to_hex(n % 499), 40, '0'), 'apr_' || n, 'acc', 's', 't', '0x', '0x', '0x', '1', '', 1, 1, 'USDC', '',
       'pending', now(), now() from generate_series(1, 20000) n`,
  );
  await rollUpAdvancer(pool)(now);
  await client.query('vacuum analyze');
});
afterAll(async () => {
  await client.end();
  await pool.end();
});

type Query = { readonly name: string; readonly text: string; readonly values: readonly unknown[] };

/** Every statement that some work sends. */
async function statementsOf(work: (db: Pool) => Promise<unknown>): Promise<readonly Query[]> {
  const seen: Query[] = [];
  const query = (asked: Query) => {
    seen.push(asked);
    return pool.query({ ...asked, values: [...asked.values] });
  };
  await work({ query } as unknown as Pool);
  return seen;
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return escapeLiteral(`{${value.join(',')}}`);
  return escapeLiteral(value instanceof Date ? value.toISOString() : `${value as string | number}`);
};

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] };
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const big = /^(transaction_log_2026_(09|10|11)|transaction_key|wallet_day|approval)$/;

type Plan = { readonly mode: string; readonly nodes: readonly Node[] };

/** How it is done for these very values, and for any (as of the sixth time on). */
async function plansOf({ text, values }: Query): Promise<readonly Plan[]> {
  const plans: Plan[] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare hot as ${text}`);
    const { rows } = await client.query(
      `explain (format json) execute hot(${values.map(literal).join(', ')})`,
    );
    await client.query('deallocate hot');
    plans.push({ mode, nodes: nodesOf(rows[0]['QUERY PLAN'][0].Plan) });
  }
  return plans;
}

/** Tables of the log that a plan reads through. */
const readThrough = async (query: Query): Promise<readonly string[]> =>
  (await plansOf(query)).flatMap(({ mode, nodes }) => {
    const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    const tables = scans.map((node) => node['Relation Name'] ?? '').filter((table) => big.test(table));
    return tables.map((table) => `${query.name}, ${mode}: ${table}`);
  });

/** Names of the indexes by which a plan reads. */
const indexesOf = ({ nodes }: Plan): readonly string[] =>
  nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name.startsWith('approval'));

const filters: readonly TransactionFilter[] = [
  {},
  { serviceResult: 'reject' },
  { chain: 'chain-1' },
  { chain: 'nowhere', serviceResult: 'error' },
  { serviceName: 'service-3', chain: 'chain-3' },
  { txHash: '0x77' },
  { startDate: new Date('2026-10-03T04:05:06.000Z'), endDate: new Date('2026-11-03T04:05:06.000Z') },
  { startDate: new Date('2026-11-01T00:00:00.000Z'), serviceResult: 'pass' },
];
const scopes: readonly Scope[] = ['myPayer', 'myPayee', 'myAll'];
const standings: readonly Standing[] = ['counted', 'claimed'];
const newest = { after: null, offset: 0, limit: 21 };
const further = {
  after: { createdAt: new Date('2026-10-15T00:00:00.000Z'), id: 30_000 },
  offset: 0,
  limit: 101,
};

test('pages and totals, for any filter and scope, read nothing through [dashboard.transactions.list.index-only]', async () => {
  const own = scopes.flatMap((scope) =>
    standings.flatMap((standing) => filters.map((filter) => ({ wallet, scope, standing, filter }))),
  );
  const asOperator = filters.map((filter) => ({ wallet, scope: 'myAll', standing: 'any', filter }) as const);
  const selections = [...own, ...asOperator];
  for (const selection of selections) {
    const asked = await statementsOf(async (db) => {
      await readPage(db, selection, newest);
      await readPage(db, selection, { ...newest, offset: 500 });
      await readPage(db, selection, further);
      await countTransactions(db, selection);
    });
    // Where the roll-up tells the total of the wallet, what its agents did is counted beside.
    const { serviceResult: _, startDate: __, endDate: ___, ...others } = selection.filter;
    const isRolledUp = selection.standing === 'counted' && Object.keys(others).length === 0;
    expect(asked).toHaveLength(isRolledUp ? 5 : 4);
    for (const query of asked) expect(await readThrough(query)).toEqual([]);
  }
});

// How many there are in all, and what few of all are of a kind, is found by looking through.
test('pages of everybody’s records, of any time, read nothing through [dashboard.transactions.everybody]', async () => {
  for (const filter of filters
    .filter((each) => each.startDate !== undefined || each.txHash !== undefined)
    .concat({})) {
    const selection = { wallet: null, scope: 'myAll', standing: 'any', filter } as const;
    const asked = await statementsOf(async (db) => {
      await readPage(db, selection, newest);
      await readPage(db, selection, further);
    });
    for (const query of asked) expect(await readThrough(query)).toEqual([]);
  }
});

test('one record, the overview and reports read nothing through [dashboard.transactions.list.index-only]', async () => {
  const report = paymentOf(wallet, { txHash: '0xnew', intentMandateId: 'mdt_1' }) as TransactionReport;
  const reported = { report, reporter: { accountId: 'acc' }, by: 'payer' as const };
  const asked = await statementsOf(async (db) => {
    await findTransaction(db, wallet, 30_000);
    await readSpending(db, wallet, { days: 30, now });
    await createRecorder(db, () => now)(reported);
    await whyNotRecorded(db, reported);
  });
  expect(asked.length).toBeGreaterThanOrEqual(5);
  for (const query of asked) expect(await readThrough(query)).toEqual([]);
});

test('an owner’s inbox, with the agents’, reads no other’s approvals [dashboard.approvals.list]', async () => {
  const asked = await statementsOf(async (db) => {
    const selection = { owner: wallet, state: undefined, page: 1, limit: 20 };
    await listApprovals(db, selection, now);
    await listApprovals(db, { ...selection, state: 'pending', page: 3 }, now);
    await findApproval(db, 'apr_77', wallet, now);
    await findApproval(db, 'apr_77', null, now);
  });
  expect(asked).toHaveLength(6);
  for (const query of asked) {
    expect(await readThrough(query)).toEqual([]);
    for (const plan of await plansOf(query))
      expect(indexesOf(plan)).toEqual([expect.stringMatching(/^approval_(by_payer|by_id|pkey)$/)]);
  }
});

test('the roll-up reads what is new, and not the month [dashboard.transactions.list.index-only]', async () => {
  const reads = async () => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query(
      `select sum(seq_tup_read)::int as read from pg_stat_user_tables where relname ~ '^transaction_log_2026_'`,
    );
    return rows[0].read;
  };
  await client.query(
    `update dashboard.wallet_day_progress set closed_until = counted_until + interval '1 hour'`,
  );
  const before = await reads();
  const { rows } = await client.query('select dashboard.count_closed_month() as counted');
  expect([rows[0].counted, await reads()]).toEqual([true, before]);
});

test('a plan that reads through would be seen', async () => {
  const text = 'select count(*) from dashboard.transaction_log where token_symbol = $1';
  expect(await readThrough({ name: 'naive', text, values: [wallet] })).toHaveLength(6);
});
