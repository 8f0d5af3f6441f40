import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import {
  type Scope,
  type Selection,
  type SelectionSql,
  sqlOf,
  sqlOfAgents,
  sqlOfWallet,
} from './selection.ts';
import type { Standing } from './eyes.ts';

/** Exactly how many records a selection has. Cheap even for a wallet with a million of them. */
export async function countTransactions(db: Queryable, selection: Selection): Promise<number> {
  const { serviceResult: _, startDate: __, endDate: ___, ...others } = selection.filter;
  const isRolledUp =
    selection.standing === 'counted' && Object.values(others).every((value) => value === undefined);
  if (!isRolledUp) return countIndexes(db, 'count', sqlOf(selection));
  const counted = { ...selection, standing: 'counted' } as const;
  const [own, agents] = await Promise.all([
    sumDays(db, counted),
    countIndexes(db, 'count-agents', sqlOfAgents(counted)),
  ]);
  return own + agents;
}

/** Counts in the covering indexes; the log itself is not read. */
async function countIndexes(
  db: Queryable,
  name: string,
  { shape, log, branches, values }: SelectionSql,
): Promise<number> {
  const counts = branches.map((branch) => `(select count(*) from ${log} where ${branch})`);
  const count = statement<{ total: number }>(
    `transaction.${name}:${shape}`,
    `select ${counts.join(' + ')} as total`,
  );
  return (await firstRow(db, count, values))?.total ?? 0;
}

const roles: Readonly<Record<Scope, readonly string[]>> = {
  myPayer: ['payer', 'self'],
  myPayee: ['payee', 'self'],
  myAll: ['payer', 'payee', 'self'],
};

/** Sums whole days of the roll-up, which knows a wallet alone and not its agents, and counts what it leaves: the broken days at both ends, and what is too new for it. */
async function sumDays(
  db: Queryable,
  { wallet, scope, standing, filter }: Selection & { readonly standing: Standing },
): Promise<number> {
  const { serviceResult, startDate, endDate } = filter;
  const range = [startDate ?? '-infinity', ...wholeDays(startDate, endDate), endDate ?? 'infinity'];
  const { branches } = sqlOfWallet({ wallet, scope, standing, filter: {} });
  const ofResult = serviceResult === undefined ? '' : ' and t.service_result = $7';
  const left = branches.map(
    (branch) =>
      `select count(*) from dashboard.transaction_log t
       where ${branch}${ofResult} and t.created_at >= piece.low and t.created_at < piece.high`,
  );
  const sum = statement<{ total: number }>(
    `transaction.sum:${scope}:${serviceResult === undefined ? 'any' : 'result'}`,
    `select (
       select coalesce(sum(t.transactions), 0) from dashboard.wallet_day t where t.wallet = $1 and t.role = any($2::text[])
         and t.day >= ($4::timestamptz at time zone 'UTC')::date and t.day < ($5::timestamptz at time zone 'UTC')::date${ofResult}
     )::bigint + (
       select coalesce(sum((${left.join(') + (')})), 0) from dashboard.wallet_day_progress progress cross join lateral (
         values ($3::timestamptz, $4::timestamptz), (greatest($4, progress.counted_until), $5), ($5, $6::timestamptz)
       ) as piece(low, high)
     )::bigint as total`,
  );
  const values = [wallet, roles[scope], ...range, ...(serviceResult === undefined ? [] : [serviceResult])];
  return (await firstRow(db, sum, values))?.total ?? 0;
}

const dayMs = 24 * 60 * 60_000;

/** The first and the last midnight (UTC) between two moments; twice the start when there are no whole days. */
function wholeDays(
  start: Date | undefined,
  end: Date | undefined,
): readonly [low: Date | string, high: Date | string] {
  const low = start === undefined ? '-infinity' : new Date(Math.ceil(start.getTime() / dayMs) * dayMs);
  const high = end === undefined ? 'infinity' : new Date(Math.floor(end.getTime() / dayMs) * dayMs);
  return start !== undefined && low > high ? [start, start] : [low, high];
}
