import { type Queryable, rows, statement } from '@countersign/service/sql';
import type { Cursor } from './cursor.ts';
import { disclosed, type Eyes, eyesOf, isOwn } from './eyes.ts';
import { type Selection, type SelectionSql, sqlOf } from './selection.ts';
import { transactionTable } from './table.ts';

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
  readonly reportedBy: 'payer' | 'payee' | 'operator';
  readonly verified: 'chain' | 'no';
  readonly toolName: string | null;
  readonly agent: string | null;
  readonly reason: string | null;
  readonly createdAt: Date;
};

/** A record with what lists leave out. */
export type WholeTransactionRow = TransactionRow & {
  readonly metadata: Record<string, unknown> | null;
  readonly intentMandateId: string | null;
};

/** Screenings are believed from oneself and from operators: whoever reports about others could say anything. */
const believed: Readonly<Record<Eyes, string>> = {
  party: `t.reported_by = 'operator' or ${isOwn}`,
  operator: 'true',
};
const screenings = [
  'payerKycResult',
  'payerKytResult',
  'payerKytRiskLevel',
  'payeeKycResult',
  'payeeKytResult',
  'payeeKytRiskLevel',
] as const;
type Column = keyof typeof transactionTable.columns;
/** These columns where the condition holds, else null. */
const shownIf = (condition: string, ...fields: readonly Column[]): string =>
  fields
    .map((field) => `case when ${condition} then ${transactionTable.columns[field]} end as "${field}"`)
    .join(', ');

/** Columns of a `TransactionRow`, for use with the alias `t`. */
const transactionColumns = (
  eyes: Eyes,
): string => `${transactionTable.list('id', 'serviceName', 'serviceResult', 'chain', 'txHash', 'amount')},
  trim_scale(t.amount_exact) as "amountExact", ${transactionTable.list('tokenSymbol', 'payer', 'payee')},
  ${shownIf(believed[eyes], ...screenings)}, ${transactionTable.list('reportedBy')},
  case when t.verified then 'chain' else 'no' end as verified,
  ${shownIf(disclosed[eyes], 'toolName', 'agent', 'reason')}, ${transactionTable.list('createdAt')}`;

/** Columns of a `WholeTransactionRow`. */
export const wholeColumns = (eyes: Eyes): string => `${transactionColumns(eyes)},
  ${shownIf(disclosed[eyes], 'metadata', 'intentMandateId')}`;

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
  place: Place,
): Promise<readonly TransactionRow[]> {
  return readColumns<TransactionRow>(db, selection, place, 'page', transactionColumns(eyesOf(selection)));
}

/** As `readPage`, with what lists leave out. */
export const readWholePage = (
  db: Queryable,
  selection: Selection,
  place: Place,
): Promise<readonly WholeTransactionRow[]> =>
  readColumns(db, selection, place, 'whole', wholeColumns(eyesOf(selection)));

function readColumns<Row>(
  db: Queryable,
  selection: Selection,
  { after, offset, limit }: Place,
  name: string,
  columns: string,
): Promise<readonly Row[]> {
  const sql = sqlOf(selection);
  const values = [...sql.values, limit, offset, offset + limit];
  return after === null
    ? rows(db, pageStatement<Row>(sql, false, name, columns), values)
    : rows(db, pageStatement<Row>(sql, true, name, columns), [...values, after.createdAt, after.id]);
}

function pageStatement<Row>(
  { shape, log, branches, values, ofEverybody }: SelectionSql,
  goesOn: boolean,
  name: string,
  columns: string,
) {
  const [limit, offset, reach, time, id] = [1, 2, 3, 4, 5].map((n) => `$${values.length + n}`);
  // The first condition is for the index; the second tells which months need not be looked at.
  const rest = goesOn ? ` and (t.created_at, t.id) < (${time}, ${id}) and t.created_at <= ${time}` : '';
  const newestFirst = 'order by created_at desc, id desc';
  // Each branch has an order and a limit of its own, because only then is it read in the order of its index.
  const parts = branches.map(
    (branch) =>
      `(select t.created_at, t.id from ${log} where ${branch}${rest} ${newestFirst} limit ${reach}::bigint)`,
  );
  return statement<Row>(
    `transaction.${name}:${shape}:${goesOn ? 'after' : 'newest'}`,
    `select ${columns} from
       (select created_at, id from (${parts.join(' union all ')}) found
        ${newestFirst} limit ${limit}::bigint offset ${offset}::bigint) page
     ${ofEverybody ? lookedUp : 'join dashboard.transaction_log t using (created_at, id)'}
     order by t.created_at desc, t.id desc`,
  );
}

/** The planner does not know how few a page has, and of everybody's records would rather read the log. */
const lookedUp = `cross join lateral (
       select * from dashboard.transaction_log l where l.created_at = page.created_at and l.id = page.id offset 0) t`;
