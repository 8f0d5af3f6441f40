import type { Address } from '@countersign/protocol/address';
import { chainNames } from '@countersign/protocol/dashboard/chains';

export type Standing = 'counted' | 'claimed';

export type Scope = 'myPayer' | 'myPayee' | 'myAll';

export type TransactionFilter = {
  /** By any of its names. */
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
  /** Null: of everybody, which is for operators. */
  readonly wallet: Address | null;
  readonly scope: Scope;
  /** What counts for the wallet, or what others merely claim. `any`: both, as operators see it. */
  readonly standing: Standing | 'any';
  readonly filter: TransactionFilter;
};

/** A selection as SQL over the log under the alias `t`: one condition for each index, and the values of `$1` and on. */
export type SelectionSql = {
  /** Tells which conditions there are: part of a statement's name, so that each connection prepares each shape once. */
  readonly shape: string;
  /** Where the records are read. */
  readonly log: string;
  readonly branches: readonly string[];
  readonly ofEverybody: boolean;
  readonly values: readonly unknown[];
};

/** One branch for each index; none finds what another has found. */
function branchesOf({ wallet, scope, standing }: Selection): readonly string[] {
  if (wallet === null) return ['$1::text is null'];
  const standings = standing === 'any' ? (['counted', 'claimed'] as const) : [standing];
  return standings.flatMap((each) => ofStanding(scope, each));
}

/** The second of `myAll` leaves out what the first has found. */
function ofStanding(scope: Scope, standing: Standing): readonly string[] {
  const asPayer = `t.payer = $1 and t.payer_standing = '${standing}'`;
  const asPayee = `t.payee = $1 and t.payee_standing = '${standing}'`;
  const fromOthers = `${asPayee} and t.payer is distinct from $1`;
  return { myPayer: [asPayer], myPayee: [asPayee], myAll: [asPayer, fromOthers] }[scope];
}

const conditions: Readonly<Record<keyof TransactionFilter, (value: string) => string>> = {
  // Comes first, so that its value is `$2`.
  txHash: (value) => `lower(t.tx_hash) = lower(${value})`,
  chain: (value) => `t.chain = any(${value}::text[])`,
  serviceName: (value) => `t.service_name = ${value}`,
  serviceResult: (value) => `t.service_result = ${value}`,
  startDate: (value) => `t.created_at >= ${value}`,
  endDate: (value) => `t.created_at < ${value}`,
};
const filterNames = Object.keys(conditions) as (keyof TransactionFilter)[];

const wholeLog = 'dashboard.transaction_log t';
/** A hash says nearly everything: its few records are read first. `offset 0` keeps the planner from thinking otherwise. */
const ofOneHash = '(select * from dashboard.transaction_log where lower(tx_hash) = lower($2) offset 0) t';

/** Translates a selection. Only texts of ours get into the SQL: what the caller sent are values. */
export function sqlOf(selection: Selection): SelectionSql {
  const { wallet, scope, standing, filter } = selection;
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const filters = given.map((name, index) => ` and ${conditions[name](`$${index + 2}`)}`).join('');
  return {
    // Short, because PostgreSQL cuts a name at 63 characters.
    log: filter.txHash === undefined ? wholeLog : ofOneHash,
    shape: `${wallet === null ? 'everybody' : scope}:${standing}:${filterNames.map((name) => (given.includes(name) ? 1 : 0)).join('')}`,
    ofEverybody: wallet === null,
    branches: branchesOf(selection).map((branch) => branch + filters),
    values: [wallet, ...given.map((name) => valueOf(filter, name))],
  };
}

const valueOf = (filter: TransactionFilter, name: keyof TransactionFilter): unknown =>
  name === 'chain' && filter.chain !== undefined ? chainNames(filter.chain) : filter[name];
