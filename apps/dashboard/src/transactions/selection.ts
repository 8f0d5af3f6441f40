import type { Address } from '@countersign/protocol/address';

export type Scope = 'myPayer' | 'myPayee' | 'myAll';

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

/** Which records of the log: those of a wallet, in a scope, that a filter lets through. */
export type Selection = {
  readonly wallet: Address;
  readonly scope: Scope;
  readonly filter: TransactionFilter;
};

/** A selection as SQL over the log under the alias `t`: one condition for each index, and the values of `$1` and on. */
export type SelectionSql = {
  /** Tells which conditions there are: part of a statement's name, so that each connection prepares each shape once. */
  readonly shape: string;
  /** Where the records are read. */
  readonly log: string;
  readonly branches: readonly string[];
  readonly values: readonly unknown[];
};

/** One branch for each index. The second of `myAll` leaves out what the first has found. */
const branches: Readonly<Record<Scope, readonly string[]>> = {
  myPayer: ['t.payer = $1'],
  myPayee: ['t.payee = $1'],
  myAll: ['t.payer = $1', 't.payee = $1 and t.payer is distinct from $1'],
};

const conditions: Readonly<Record<keyof TransactionFilter, (value: string) => string>> = {
  // Comes first, so that its value is `$2`.
  txHash: (value) => `t.tx_hash = ${value}`,
  chain: (value) => `t.chain = ${value}`,
  serviceName: (value) => `t.service_name = ${value}`,
  serviceResult: (value) => `t.service_result = ${value}`,
  startDate: (value) => `t.created_at >= ${value}`,
  endDate: (value) => `t.created_at < ${value}`,
};
const filterNames = Object.keys(conditions) as (keyof TransactionFilter)[];

const wholeLog = 'dashboard.transaction_log t';
/** A hash says nearly everything: its few records are read first. `offset 0` keeps the planner from thinking otherwise. */
const ofOneHash = '(select * from dashboard.transaction_log where tx_hash = $2 offset 0) t';

/** Translates a selection. Only texts of ours get into the SQL: what the caller sent are values. */
export function sqlOf({ wallet, scope, filter }: Selection): SelectionSql {
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const filters = given.map((name, index) => ` and ${conditions[name](`$${index + 2}`)}`).join('');
  return {
    // Short, because PostgreSQL cuts a name at 63 characters.
    log: filter.txHash === undefined ? wholeLog : ofOneHash,
    shape: `${scope}:${filterNames.map((name) => (given.includes(name) ? 1 : 0)).join('')}`,
    branches: branches[scope].map((branch) => branch + filters),
    values: [wallet, ...given.map((name) => filter[name])],
  };
}
