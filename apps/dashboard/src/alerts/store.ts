import type { Alert } from '@countersign/protocol/dashboard/alerts';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';

/** An alert as it is kept. */
export type AlertRecord = Pick<Alert, 'id' | 'mandateId' | 'kind'> & {
  readonly createdAt: Date;
  readonly seenAt: Date | null;
};

export const alertTable = sqlTable('dashboard.alert', 'a', [
  'id',
  'accountId',
  'mandateId',
  'kind',
  'createdAt',
  'seenAt',
]);
/** The fields of an `AlertRecord`. */
export const alertColumns = alertTable.list('id', 'mandateId', 'kind', 'createdAt', 'seenAt');

const find = statement<AlertRecord>(
  'alert.find',
  `select ${alertColumns} from ${alertTable.from} where a.account_id = $1 and a.id = $2`,
);

/** Null for an alert of another account, as for one that does not exist. */
export const findAlert = (db: Queryable, accountId: string, id: number): Promise<AlertRecord | null> =>
  firstRow(db, find, [accountId, id]);

const page = statement<AlertRecord>(
  'alert.page',
  `select ${alertColumns} from ${alertTable.from} where a.account_id = $1 order by a.id desc limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'alert.count',
  `select count(*) as total from ${alertTable.from} where a.account_id = $1`,
);

/** Returns one page of an account's alerts, newest first, and their total number. */
export async function listAlerts(
  db: Queryable,
  accountId: string,
  { page: number, limit }: { readonly page: number; readonly limit: number },
) {
  const [items, counted] = await Promise.all([
    rows(db, page, [accountId, limit, (number - 1) * limit]),
    firstRow(db, count, [accountId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const markSeen = statement<{ id: number }>(
  'alert.seen',
  `update dashboard.alert set seen_at = coalesce(seen_at, $3) where account_id = $1 and id = any($2::bigint[]) returning id`,
);

/** Notes that alerts were seen; gives those that are the account's own. */
export async function markAlertsSeen(
  db: Queryable,
  accountId: string,
  ids: readonly number[],
  now: Date,
): Promise<readonly number[]> {
  return (await rows(db, markSeen, [accountId, ids, now])).map(({ id }) => id);
}
