import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, migrate, type Pool } from '@countersign/service/sql';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createRecorder } from '../src/transactions/record.ts';
import { settlePayment } from '../src/transactions/settle.ts';
import { makeMonths, rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { newDatabase, newWallet, paymentOf } from './dashboard.ts';
import { migrationsBefore } from './earlier-migrations.ts';

const log = createLogger('test', 'silent');
const second = 1000;
const day = 24 * 60 * 60 * second;

let pool: Pool;
let url: string;
beforeEach(async () => {
  url = await newDatabase();
  pool = createPool(url, log);
  onTestFinished(() => pool.end());
});
const rowsOf = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;

const [payer, payee] = [newWallet().address, newWallet().address];
const reportedBy = (more: Record<string, unknown> = {}) => {
  const report = paymentOf(payer, { payee, ...more }) as TransactionReport;
  const by: 'payer' | 'payee' = report.payer === payer ? 'payer' : 'payee';
  return { report, reporter: { accountId: 'acc_1' }, by };
};

test('what was recorded before the log had months stays: records, ids, and what makes two the same', async () => {
  await migrate(pool, { schema: 'dashboard', directory: migrationsBefore('0007') });
  await pool.query(
    `insert into dashboard.transaction_log (reporter, dedupe_key, service_name, service_result, chain, tx_hash, amount,
       amount_exact, payer, payee, metadata, created_at)
     select 'acc_1', sha256(convert_to('["hash","base","0x' || to_hex(n) || '"]', 'utf8')), 'quotes', 'pass', 'base',
       '0x' || to_hex(n), 0.01, 0.01, $1, $2, '{"n": 1}', timestamptz '2025-11-30 22:00+00' + n * interval '20 days'
     from generate_series(1, 15) n`,
    [payer, payee],
  );
  const before = await rowsOf(
    'select id, tx_hash, created_at, metadata from dashboard.transaction_log order by id',
  );

  await migrate(pool, migrationsOf('dashboard'));

  expect(
    await rowsOf('select id, tx_hash, created_at, metadata from dashboard.transaction_log order by id'),
  ).toEqual(before);
  expect(await rowsOf('select count(*) as n from dashboard.transaction_log_default')).toEqual([{ n: 0 }]);
  const record = createRecorder(pool, () => new Date('2026-11-21T12:00:00.000Z'));
  expect(await record(reportedBy({ txHash: '0x5' }))).toBeNull();
  expect((await record(reportedBy({ txHash: '0xffff' })))?.id).toBeGreaterThan(15);
});

test('each month has its partition ahead of time; what came before it had one is moved there', async () => {
  await migrate(pool, migrationsOf('dashboard'));
  const times = ['2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00.000Z', '2027-01-15T00:00:00.000Z'];
  for (const time of [...times, '2031-01-01T00:00:00.000Z'])
    await createRecorder(pool, () => new Date(time))(reportedBy());
  const warn = vi.spyOn(log, 'warn');
  await makeMonths(pool, new Date('2026-11-21T12:00:00.000Z'), log);
  await makeMonths(pool, new Date('2026-12-01T00:00:00.000Z'), log);
  expect(
    await rowsOf(
      `select tableoid::regclass::text as part from dashboard.transaction_log order by created_at`,
    ),
  ).toEqual([
    { part: 'dashboard.transaction_log_default' },
    { part: 'dashboard.transaction_log_2026_11' },
    { part: 'dashboard.transaction_log_2027_01' },
    { part: 'dashboard.transaction_log_default' },
  ]);
  expect(warn).toHaveBeenLastCalledWith({ strays: 2 }, expect.stringContaining('clock'));
  const [made] = await rowsOf(
    `select array_agg(inhrelid::regclass::text order by inhrelid::regclass::text) as parts from pg_inherits
     where inhparent = 'dashboard.transaction_log'::regclass`,
  );
  const months = ['2026_11', '2026_12', '2027_01', '2027_02', '2027_03'];
  expect(made.parts).toEqual([...months, 'default'].map((name) => `dashboard.transaction_log_${name}`));
});

const unlessBusy = (error: Error) => {
  if (!error.message.includes('lock timeout')) throw error;
};

/** What the roll-up says, and what the records before the moment it has reached say. */
const rolledUp = `select wallet, day::text, role, service_result, transactions::int as n, trim_scale(amount) as amount
  from dashboard.wallet_day order by 1, 2, 3, 4`;
const counted = `select wallet, (created_at at time zone 'UTC')::date::text as day, role, service_result, count(*)::int as n,
    trim_scale(coalesce(sum(amount_exact), 0)) as amount
  from (select payer as wallet, case when payer = payee then 'self' else 'payer' end as role, l.* from dashboard.transaction_log l
        where payer_standing = 'counted'
        union all select payee, 'payee', l.* from dashboard.transaction_log l
        where payer is distinct from payee and payee_standing = 'counted') side
  where wallet is not null and created_at < (select counted_until from dashboard.wallet_day_progress)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

test('the roll-up is exactly the records before the moment it has reached, while two processes record and its clock runs ahead', async () => {
  await migrate(pool, migrationsOf('dashboard'));
  const start = Date.parse('2026-11-20T23:59:00.000Z');
  const clock = { now: start };
  const siblings = createPool(url, log);
  onTestFinished(() => siblings.end());
  // One of the processes has a clock that is two minutes slow.
  const recorders = [
    createRecorder(pool, () => new Date(clock.now)),
    createRecorder(siblings, () => new Date(clock.now - 120 * second)),
  ];
  const advancers = [rollUpAdvancer(pool), rollUpAdvancer(siblings)];
  const variants = [
    { amount: '0.000000000000000001' },
    { serviceResult: 'reject' },
    { payee: payer },
    { payee: undefined, amount: undefined },
    { payer: payee, payee: payer, serviceResult: 'error' },
  ];
  for (let round = 0; round < 40; round++) {
    clock.now += 7 * second;
    const reports = variants.flatMap((more) => recorders.map((record) => record(reportedBy(more))));
    // On a machine under load the log may be busy for longer than a turn waits: then a later turn does it.
    const advances = advancers.map((advance) =>
      advance(new Date(clock.now + (round % 3) * 15 * second)).catch(unlessBusy),
    );
    await Promise.all([...reports, ...advances]);
    const sums = await rowsOf(rolledUp);
    expect(sums).toEqual(await rowsOf(counted));
  }
  await recorders[0]?.(reportedBy());
  await advancers[0]?.(new Date(clock.now + day));
  expect(await rowsOf(rolledUp)).toEqual(await rowsOf(counted));
  const [all] = await rowsOf(
    `select (select sum(transactions)::int from dashboard.wallet_day where wallet = $1) as rolled,
       (select count(*)::int from dashboard.transaction_log where $1 in (payer, payee)) as log`,
    [payer],
  );
  expect(all.rolled).toBe(all.log);
  expect(all.log).toBe(401);
});

test('a record that begins or ceases to count is corrected in the roll-up, wherever that stands meanwhile [dashboard.transactions.one-payment]', async () => {
  await migrate(pool, migrationsOf('dashboard'));
  const clock = { now: Date.parse('2026-11-20T23:58:00.000Z') };
  const record = createRecorder(pool, () => new Date(clock.now));
  const advance = rollUpAdvancer(pool);
  const payments: { id: number; txHash: string }[] = [];
  for (let round = 0; round < 30; round++) {
    clock.now += 10 * second;
    const txHash = `0x${round.toString(16)}`;
    const reported = reportedBy({ txHash, amount: `0.0${round + 1}` });
    const [made] = await Promise.all([
      record(reported),
      ...(round % 3 === 0 ? [record({ ...reported, reporter: null, by: 'operator' })] : []),
    ]);
    payments.push({ id: made?.id ?? 0, txHash });
    // Seen, seen again and taken back, of new ones and of old ones, while the roll-up goes on.
    const looks = [0, round - 1, round - 5, round - 12].flatMap((at) => payments[at] ?? []);
    await Promise.all([
      ...looks.map(({ id, txHash: hash }, n) =>
        settlePayment(pool, { chain: 'base', txHash: hash, payer, payee }, { id, seen: (round + n) % 3 > 0 }),
      ),
      advance(new Date(clock.now)).catch(unlessBusy),
    ]);
    expect((await rowsOf(rolledUp)).filter(({ n }) => n > 0)).toEqual(await rowsOf(counted));
  }
  const standings = await rowsOf(
    `select lower(tx_hash) as hash, count(*) filter (where payer_standing = 'counted')::int as payer,
       count(*) filter (where payee_standing = 'counted')::int as payee from dashboard.transaction_log group by 1`,
  );
  expect(standings.every((each) => each.payer === 1 && each.payee <= 1)).toBe(true);
  expect(new Set(standings.map((each) => each.payee))).toEqual(new Set([0, 1]));
});

test('records that were there before the roll-up was are caught up with, month by month', async () => {
  await migrate(pool, migrationsOf('dashboard'));
  for (const time of ['2026-09-01T12:00:00.000Z', '2026-09-02T00:00:00.000Z', '2026-11-20T00:00:00.000Z'])
    await createRecorder(pool, () => new Date(time))(reportedBy());
  await rollUpAdvancer(pool)(new Date('2026-11-21T12:00:00.000Z'));
  expect((await rowsOf(rolledUp)).filter(({ wallet }) => wallet === payer)).toMatchObject([
    { day: '2026-09-01', n: 1 },
    { day: '2026-09-02', n: 1 },
    { day: '2026-11-20', n: 1 },
  ]);
  expect(await rowsOf(rolledUp)).toEqual(await rowsOf(counted));
});

test('while another process is at it, or the log is locked, a turn changes nothing and the next one does it', async () => {
  await migrate(pool, migrationsOf('dashboard'));
  const time = new Date('2026-11-21T12:00:00.000Z');
  await createRecorder(pool, () => time)(reportedBy());
  const later = new Date(time.getTime() + day);
  const advance = rollUpAdvancer(pool);
  const client = await pool.connect();
  await client.query('begin; select pg_advisory_xact_lock(4021003)');
  await advance(later);
  await client.query('commit; begin; lock table dashboard.transaction_log in row exclusive mode');
  await expect(advance(later)).rejects.toThrow('lock timeout');
  await client.query('commit');
  client.release();
  expect(await rowsOf(rolledUp)).toEqual([]);
  await advance(later);
  expect(await rowsOf(rolledUp)).toHaveLength(1);
});
