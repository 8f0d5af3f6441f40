import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';

export type TransactionFilter = {
  readonly chain?: string | undefined;
  readonly txHash?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly serviceResult?: string | undefined;
  /** Inclusive. */
  readonly startDate?: Date | undefined;
  /** Exclusive. */
  readonly endDate?: Date | undefined;
};

export type Scope = 'myPayer' | 'myPayee' | 'myAll';

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

const columns = `t.id, t.service_name as "serviceName", t.service_result as "serviceResult", t.chain, t.tx_hash as "txHash",
  t.amount, trim_scale(t.amount_exact) as "amountExact", t.token_symbol as "tokenSymbol", t.payer, t.payee,
  t.payer_kyc_result as "payerKycResult", t.payer_kyt_result as "payerKytResult", t.payer_kyt_risk_level as "payerKytRiskLevel",
  t.payee_kyc_result as "payeeKycResult", t.payee_kyt_result as "payeeKytResult", t.payee_kyt_risk_level as "payeeKytRiskLevel",
  t.created_at as "createdAt"`;

const conditions: Readonly<Record<keyof TransactionFilter, (value: string) => string>> = {
  chain: (value) => `t.chain = ${value}`,
  txHash: (value) => `t.tx_hash = ${value}`,
  serviceName: (value) => `t.service_name = ${value}`,
  serviceResult: (value) => `t.service_result = ${value}`,
  startDate: (value) => `t.created_at >= ${value}`,
  endDate: (value) => `t.created_at < ${value}`,
};
const filterNames = Object.keys(conditions) as (keyof TransactionFilter)[];

/** One branch for each index. The second of `myAll` leaves out what the first has found. */
const branches: Readonly<Record<Scope, readonly string[]>> = {
  myPayer: ['t.payer = $1'],
  myPayee: ['t.payee = $1'],
  myAll: ['t.payer = $1', 't.payee = $1 and t.payer is distinct from $1'],
};

/** One page of a wallet's transactions, newest first, and exactly how many there are in all. */
export async function queryTransactions(
  db: Queryable,
  wallet: Address,
  { scope, filter, page, limit }: { scope: Scope; filter: TransactionFilter; page: number; limit: number },
): Promise<{ readonly items: readonly TransactionRow[]; readonly total: number }> {
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const values: unknown[] = [wallet, ...given.map((name) => filter[name])];
  const filters = given.map((name, index) => ` and ${conditions[name](`$${index + 2}`)}`).join('');
  // Short, because PostgreSQL cuts a name at 63 characters.
  const shape = `${scope}:${filterNames.map((name) => (given.includes(name) ? 1 : 0)).join('')}`;
  const wheres = branches[scope].map((branch) => branch + filters);
  const offset = (page - 1) * limit;
  const [items, counted] = await Promise.all([
    rows(db, pageStatement(shape, wheres, values.length), [...values, limit, offset, offset + limit]),
    firstRow(db, countStatement(shape, wheres), values),
  ]);
  return { items, total: counted?.total ?? 0 };
}

// The name tells which filters the text has, so that each connection prepares each shape once.
function pageStatement(shape: string, wheres: readonly string[], used: number) {
  const [limit, offset, reach] = [1, 2, 3].map((n) => `$${used + n}::bigint`);
  const parts = wheres.map(
    (where) =>
      `(select t.id from dashboard.transaction_log t where ${where} order by t.id desc limit ${reach})`,
  );
  return statement<TransactionRow>(
    `transaction.page:${shape}`,
    `select ${columns} from (select id from (${parts.join(' union all ')}) found order by id desc limit ${limit} offset ${offset}) page
     join dashboard.transaction_log t using (id) order by id desc`,
  );
}

function countStatement(shape: string, wheres: readonly string[]) {
  const counts = wheres.map((where) => `(select count(*) from dashboard.transaction_log t where ${where})`);
  return statement<{ total: number }>(`transaction.count:${shape}`, `select ${counts.join(' + ')} as total`);
}
