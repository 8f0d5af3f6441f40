import type { Address } from '@countersign/protocol/address';
import { chainNames } from '@countersign/protocol/dashboard/chains';
import { hashForms } from '@countersign/protocol/dashboard/spelling';
import { disclosed, eyesOf, type Standing } from './eyes.ts';

export type Scope = 'myPayer' | 'myPayee' | 'myAll';

export type TransactionFilter = {
  /** By any of its names. */
  readonly chain?: string | undefined;
  readonly txHash?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly serviceResult?: string | undefined;
  /** What the reporter noted, as far as it is shown. */
  readonly toolName?: string | undefined;
  readonly agent?: string | undefined;
  readonly reason?: string | undefined;
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

/** One branch for each index; none finds what another has found. An operator asks about a wallet, not about an owner. */
function branchesOf({ wallet, scope, standing }: Selection): readonly string[] {
  if (wallet === null) return ['$1::text is null'];
  if (standing === 'any') return [...ofWallet(scope, 'counted'), ...ofWallet(scope, 'claimed')];
  return ofStanding(scope, standing);
}

/** Each of `myAll` leaves out what those before it have found. */
const ofStanding = (scope: Scope, standing: Standing): readonly string[] => [
  ...ofWallet(scope, standing),
  ...ofAgents(scope, standing),
];

function ofWallet(scope: Scope, standing: Standing): readonly string[] {
  const asPayer = `t.payer = $1 and t.payer_standing = '${standing}'`;
  const asPayee = `t.payee = $1 and t.payee_standing = '${standing}'`;
  const fromOthers = `${asPayee} and t.payer is distinct from $1`;
  return { myPayer: [asPayer], myPayee: [asPayee], myAll: [asPayer, fromOthers] }[scope];
}

/** What agents of the wallet paid and were paid, by its owner's or an operator's word. */
function ofAgents(scope: Scope, standing: Standing): readonly string[] {
  const asPayer = `t.payer_owner = $1 and t.payer_standing = '${standing}'`;
  const asPayee = `t.payee_owner = $1 and t.payee_standing = '${standing}'`;
  const toOthers = `${asPayer} and (t.payee = $1 and t.payee_standing = '${standing}') is not true`;
  const fromOthers = `${asPayee} and t.payer is distinct from $1 and t.payer_owner is distinct from $1`;
  return { myPayer: [asPayer], myPayee: [asPayee], myAll: [toOthers, fromOthers] }[scope];
}

const conditions: Readonly<Record<keyof TransactionFilter, (value: string, shown: string) => string>> = {
  // Comes first, so that its value is `$2`.
  txHash: (value) => `lower(t.tx_hash) = any(${value}::text[])`,
  chain: (value) => `t.chain = any(${value}::text[])`,
  serviceName: (value) => `t.service_name = ${value}`,
  serviceResult: (value) => `t.service_result = ${value}`,
  toolName: (value, shown) => `${shown} and t.tool_name = ${value}`,
  agent: (value, shown) => `${shown} and t.agent = ${value}`,
  reason: (value, shown) => `${shown} and t.reason = ${value}`,
  startDate: (value) => `t.created_at >= ${value}`,
  endDate: (value) => `t.created_at < ${value}`,
};
const filterNames = Object.keys(conditions) as (keyof TransactionFilter)[];

const wholeLog = 'dashboard.transaction_log t';
/** A hash says nearly everything: its few records are read first. `offset 0` keeps the planner from thinking otherwise. */
const ofOneHash =
  '(select * from dashboard.transaction_log where lower(tx_hash) = any($2::text[]) offset 0) t';

/** Translates a selection. Only texts of ours get into the SQL: what the caller sent are values. */
export function sqlOf(selection: Selection, branches = branchesOf(selection)): SelectionSql {
  const { wallet, scope, standing, filter } = selection;
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const shown = disclosed[eyesOf(selection)];
  const filters = given.map((name, index) => ` and ${conditions[name](`$${index + 2}`, shown)}`).join('');
  return {
    // Short, because PostgreSQL cuts a name at 63 characters.
    log: filter.txHash === undefined ? wholeLog : ofOneHash,
    shape: `${wallet === null ? 'everybody' : scope}:${standing}:${filterNames.map((name) => (given.includes(name) ? 1 : 0)).join('')}`,
    ofEverybody: wallet === null,
    branches: branches.map((branch) => branch + filters),
    values: [wallet, ...given.map((name) => valueOf(filter, name))],
  };
}

/** The same without what the wallet's agents did; and that alone. */
export const sqlOfWallet = (selection: Selection & { readonly standing: Standing }): SelectionSql =>
  sqlOf(selection, ofWallet(selection.scope, selection.standing));
export const sqlOfAgents = (selection: Selection & { readonly standing: Standing }): SelectionSql =>
  sqlOf(selection, ofAgents(selection.scope, selection.standing));

function valueOf(filter: TransactionFilter, name: keyof TransactionFilter): unknown {
  if (name === 'chain' && filter.chain !== undefined) return chainNames(filter.chain);
  return name === 'txHash' && filter.txHash !== undefined ? hashForms(filter.txHash) : filter[name];
}
