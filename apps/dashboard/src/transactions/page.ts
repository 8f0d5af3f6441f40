import { type Queryable, rows, statement } from '@countersign/service/sql';
import type { Cursor } from './cursor.ts';
import { type Selection, type SelectionSql, sqlOf } from './selection.ts';

/** A row of the log under the names of the wire. */
export type TransactionRow = {
  readonly id: number;
  readonly serviceName: string;
  readonly serviceResult: 'pass' | 'reject' | 'error';
  readonly chain: string;
  readonly txHash: string | null;
  readonly amount: string | null;
  readonly amountExact: string | null;
  readonly tokenSymbol: string | null;
  readonly payer: string | null;
  readonly payee: string | null;
  readonly payerKycResult: number | null;
  readonly payerKytResult: number | null;
  readonly payerKytRiskLevel: number | null;
  readonly payeeKycResult: number | null;
  readonly payeeKytResult: number | null;
  readonly payeeKytRiskLevel: number | null;
  readonly createdAt: Date;
};

/** Columns of a `TransactionRow`, for use with the alias `t`. */
export const transactionColumns = `t.id, t.service_name as "serviceName", t.service_result as "serviceResult", t.chain, t.tx_hash as "txHash",
  t.amount, trim_scale(t.amount_exact) as "amountExact", t.token_symbol as "tokenSymbol", t.payer, t.payee,
  t.payer_kyc_result as "payerKycResult", t.payer_kyt_result as "payerKytResult", t.payer_kyt_risk_level as "payerKytRiskLevel",
  t.payee_kyc_result as "payeeKycResult", t.payee_kyt_result as "payeeKytResult", t.payee_kyt_risk_level as "payeeKytRiskLevel",
  t.created_at as "createdAt"`;

export type Place = {
  /** What comes after this record of a page before; null from the newest. */
  readonly after: Cursor | null;
  /** So many are passed over. */
  readonly offset: number;
  readonly limit: number;
};

/**
 * Records of a selection, newest first. The covering indexes alone tell which ones, in order; only those that are
 * shown are read from the log.
 */
export function readPage(
  db: Queryable,
  selection: Selection,
  { after, offset, limit }: Place,
): Promise<readonly TransactionRow[]> {
  const sql = sqlOf(selection);
  const values = [...sql.values, limit, offset, offset + limit];
  return after === null
    ? rows(db, pageStatement(sql, false), values)
    : rows(db, pageStatement(sql, true), [...values, after.createdAt, after.id]);
}

function pageStatement({ shape, log, branches, values }: SelectionSql, goesOn: boolean) {
  const [limit, offset, reach, time, id] = [1, 2, 3, 4, 5].map((n) => `$${values.length + n}`);
  // The first condition is for the index; the second tells which months need not be looked at.
  const rest = goesOn ? ` and (t.created_at, t.id) < (${time}, ${id}) and t.created_at <= ${time}` : '';
  const newestFirst = 'order by created_at desc, id desc';
  // Each branch has an order and a limit of its own, because only then is it read in the order of its index.
  const parts = branches.map(
    (branch) =>
      `(select t.created_at, t.id from ${log} where ${branch}${rest} ${newestFirst} limit ${reach}::bigint)`,
  );
  return statement<TransactionRow>(
    `transaction.page:${shape}:${goesOn ? 'after' : 'newest'}`,
    `select ${transactionColumns} from
       (select created_at, id from (${parts.join(' union all ')}) found
        ${newestFirst} limit ${limit}::bigint offset ${offset}::bigint) page
     join dashboard.transaction_log t using (created_at, id) order by t.created_at desc, t.id desc`,
  );
}
