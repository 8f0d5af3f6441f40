import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { type TransactionRow, transactionColumns } from './page.ts';

/** A record with what lists leave out. */
export type WholeTransactionRow = TransactionRow & {
  readonly metadata: Record<string, unknown> | null;
  readonly intentMandateId: string | null;
};

const find = statement<WholeTransactionRow>(
  'transaction.find',
  `select ${transactionColumns}, t.metadata, t.intent_mandate_id as "intentMandateId"
   from dashboard.transaction_log t where t.id = $1 and $2 in (t.payer, t.payee)`,
);

/** A record in which this wallet is payer or payee; null for any other. */
export const findTransaction = (
  db: Queryable,
  wallet: Address,
  id: number,
): Promise<WholeTransactionRow | null> => firstRow(db, find, [id, wallet]);
