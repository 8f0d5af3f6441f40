import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { isOwn } from './eyes.ts';
import { type WholeTransactionRow, wholeColumns } from './page.ts';

export type FoundTransaction = WholeTransactionRow & {
  /** Whether it counts for the wallet: otherwise the other party merely claims it, or it stands in the log twice. */
  readonly counts: boolean;
  /** Whether it is the wallet's own word, or an operator's for it. */
  readonly own: boolean;
};

const find = statement<FoundTransaction>(
  'transaction.find',
  `select ${wholeColumns('party')},
     'counted' in (case when $1 in (t.payer, t.payer_owner) then t.payer_standing end, case when $1 in (t.payee, t.payee_owner) then t.payee_standing end) as counts,
     ${isOwn} as own
   from dashboard.transaction_log t where t.id = $2 and $1 in (t.payer, t.payee, t.payer_owner, t.payee_owner)`,
);

/** A record in which this wallet or an agent of it is payer or payee; null for any other. */
export const findTransaction = (
  db: Queryable,
  wallet: Address,
  id: number,
): Promise<FoundTransaction | null> => firstRow(db, find, [wallet, id]);

const findAny = statement<WholeTransactionRow>(
  'transaction.find-any',
  `select ${wholeColumns('operator')} from dashboard.transaction_log t where t.id = $1`,
);

/** Anybody's record, as operators see it; null when there is none. */
export const findAnyTransaction = (db: Queryable, id: number): Promise<WholeTransactionRow | null> =>
  firstRow(db, findAny, [id]);
