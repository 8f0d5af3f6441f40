import { type Service, sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import {
  firstRow,
  inTransaction,
  type Pool,
  type Queryable,
  rows,
  statement,
} from '@countersign/service/sql';
import { stepsSettler } from './steps.ts';

const rollUpEveryMs = 15_000;
const settleEveryMs = 60_000;
const monthsEveryMs = 3_600_000;

/**
 * Keeps the log fit for its size for as long as it runs: the months to come, the roll-up, and payments that are one row. The months are there
 * before it answers, because a record that is made while its month is being attached could be refused.
 */
export async function startLogUpkeep(pool: Pool, now: () => Date, log: Logger): Promise<Service> {
  const advance = rollUpAdvancer(pool);
  const settle = stepsSettler(pool);
  const months = () => makeMonths(pool, now(), log);
  await months().catch((error: unknown) => log.warn({ why: sayWhy(error) }, 'the log has no new months yet'));
  const jobs = [
    repeat(log, 'roll the log up', rollUpEveryMs, () => advance(now())),
    repeat(log, 'settle the steps of payments', settleEveryMs, () => settle(now())),
    repeat(log, 'make the months of the log', monthsEveryMs, months),
  ];
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

const make = statement(
  'log.make-months',
  `select dashboard.make_log_months($1::date, ($1::date + interval '3 months')::date)`,
);
const waitForTurn = statement(
  'log.wait-for-turn',
  `select set_config('lock_timeout', '5s', true), pg_advisory_xact_lock(4021004)`,
);
const countStrays = statement<{ strays: number }>(
  'log.strays',
  'select count(*) as strays from dashboard.transaction_log_default',
);

/** Makes the partitions of this month and the next three, if there are none; tells of records that are of no month. */
export async function makeMonths(pool: Pool, now: Date, log: Logger): Promise<void> {
  await inTransaction(pool, async (db) => {
    await rows(db, waitForTurn, []);
    await rows(db, make, [now]);
  });
  const strays = (await firstRow(pool, countStrays, []))?.strays ?? 0;
  if (strays > 0) log.warn({ strays }, 'the log holds records of months far from now: is a clock wrong?');
}

const lastId = statement<{ id: number }>(
  'log.last-id',
  'select last_value as id from dashboard.transaction_id',
);
const closeLog = statement('log.close', 'select dashboard.close_log($1)');
const countMonth = statement<{ counted: boolean }>(
  'log.count-closed-month',
  'select dashboard.count_closed_month() as counted',
);

/** What is younger stays out of the roll-up. A process whose clock is behind by more than this is set right by it. */
const marginMs = 10_000;

/** Brings the roll-up to a moment shortly before the one that is given; does nothing while nothing is recorded. */
export function rollUpAdvancer(pool: Pool): (now: Date) => Promise<void> {
  let seen: number | undefined;
  return async (now) => {
    const last = (await firstRow(pool, lastId, []))?.id;
    if (last === seen) return;
    const closed = await alone(pool, (db) => rows(db, closeLog, [new Date(now.getTime() - marginMs)]));
    if (closed === null) return;
    // One transaction a month, so that a long absence is made up for in steps.
    while ((await alone(pool, (db) => firstRow(db, countMonth, [])))?.counted === true);
    seen = last;
  };
}

/** One process at a time. Nobody who records waits long for the locks that are taken here: rather the next turn does it. */
const enter = statement<{ entered: boolean }>(
  'log.enter',
  `select pg_try_advisory_xact_lock(4021003) as entered,
     set_config('lock_timeout', '200ms', true), set_config('statement_timeout', '0', true)`,
);

/** Null when another process is at it. */
const alone = <T>(pool: Pool, work: (db: Queryable) => Promise<T>): Promise<T | null> =>
  inTransaction(pool, async (db) => ((await firstRow(db, enter, []))?.entered ? work(db) : null));
