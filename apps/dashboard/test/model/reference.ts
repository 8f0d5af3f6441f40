import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';
import { listRefuses, noPolicy, periodLeft, type Policy } from './policy.ts';

// What the dashboard must be, in the fewest words: no database, no concurrency, one account. Amounts are integers of
// 10^-18, times are milliseconds. Codes are those of the wire.

export type ModelMandate = {
  readonly id: string;
  typedData: unknown;
  perTx: bigint;
  total: bigint;
  /** The budget that a signature stands for; null while none does. */
  signed: bigint | null;
  expiresAt: number;
  deleted: boolean;
  policy: Policy;
  /** Every payment, with the time of its report. */
  readonly uses: { readonly at: number; readonly amount: bigint }[];
  /** As decided; that it has expired is seen by `statusOf`. */
  status: MandateStatus;
  wasActive: boolean;
  used: bigint;
  count: number;
  /** Every payment so far was within a hold of the budget that still stood when it was reported. */
  covered: boolean;
};

export type ModelHold = {
  readonly id: string;
  readonly mandate: ModelMandate;
  readonly amount: bigint;
  /** Undefined: nobody was named yet. */
  payee: string | undefined;
  expiresAt: number;
  state: 'open' | 'used' | 'released';
  /** Who needs it, by name; '' is whoever gave none. */
  holders: readonly string[];
  /** It goes by an approval of the owner's: beyond the budget, and within the period's alone. */
  approved: boolean;
};

export type Model = {
  now: number;
  readonly mandates: ModelMandate[];
  readonly holds: ModelHold[];
  /** Bodies of the reports that were recorded, with their ids. */
  readonly reports: { readonly body: Readonly<Record<string, unknown>>; readonly id: number }[];
  /** The sum of all passing payments. */
  passed: bigint;
};

/** A mandate as it is drafted: pending, and nothing spent. */
export const draft = (
  terms: Pick<ModelMandate, 'id' | 'typedData' | 'perTx' | 'total' | 'expiresAt'>,
): ModelMandate => ({
  ...terms,
  signed: null,
  deleted: false,
  policy: noPolicy,
  uses: [],
  status: 'pending',
  wasActive: false,
  used: 0n,
  count: 0,
  covered: true,
});

export const newModel = (now: number): Model => ({ now, mandates: [], holds: [], reports: [], passed: 0n });

export const statusOf = ({ now }: Model, { status, expiresAt }: ModelMandate): MandateStatus =>
  (status === 'pending' || status === 'active') && expiresAt <= now ? 'expired' : status;

const stands = (model: Model, hold: ModelHold): boolean =>
  hold.state === 'open' && hold.expiresAt > model.now;

const standing = (model: Model, mandate: ModelMandate): readonly ModelHold[] =>
  model.holds.filter((hold) => hold.mandate === mandate && stands(model, hold));

const sum = (holds: readonly ModelHold[]): bigint => holds.reduce((all, { amount }) => all + amount, 0n);

/** What its holds take from the budget. */
export const heldOf = (model: Model, mandate: ModelMandate): bigint =>
  sum(standing(model, mandate).filter(({ approved }) => !approved));

export const remainingOf = (model: Model, mandate: ModelMandate): bigint => {
  const remaining = mandate.total - mandate.used - heldOf(model, mandate);
  return remaining > 0n ? remaining : 0n;
};

export const success = 80000000;
/** What a move is answered that needs another state. */
export const codeOfState = {
  pending: 80000053,
  revoked: 80000053,
  expired: 80000054,
  exhausted: 80000055,
} as const;

/** The owner signs: the code, and the newer mandate takes the place of the one that is still active. */
export function sign(model: Model, mandate: ModelMandate): number {
  if (mandate.deleted) return 80000053;
  const status = statusOf(model, mandate);
  if (status === 'active') return 80000003;
  if (status !== 'pending') return codeOfState[status];
  for (const other of model.mandates) if (statusOf(model, other) === 'active') other.status = 'revoked';
  mandate.status = 'active';
  mandate.wasActive = true;
  mandate.signed = mandate.total;
  return success;
}

export function revoke(model: Model, mandate: ModelMandate): number {
  if (mandate.deleted) return 80000053;
  const status = statusOf(model, mandate);
  if (status !== 'active') return codeOfState[status];
  mandate.status = 'revoked';
  return success;
}

export type HoldRequest = {
  readonly id: string;
  readonly amount: bigint;
  readonly ttlSeconds: number;
  readonly payee?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly holder?: string | undefined;
  /** The rules that the owner was told of when they were asked about this very payment. */
  readonly told?: readonly Rule[];
};

export type Rule =
  | 'PER_TX_LIMIT_EXCEEDED'
  | 'APPROVAL_THRESHOLD_EXCEEDED'
  | 'TOTAL_BUDGET_EXCEEDED'
  | 'PERIOD_BUDGET_EXCEEDED';

export function hold(model: Model, mandate: ModelMandate, request: HoldRequest): number {
  const { id, amount, ttlSeconds, payee, holder = '', told = [] } = request;
  const why = whyNotHeld(model, mandate, request, mandate.policy);
  if (why !== null) return why;
  const known = model.holds.find((hold) => hold.id === id);
  const expiresAt = model.now + ttlSeconds * 1000;
  const approved = told.length > 0;
  const placed = { payee, expiresAt, state: 'open', holders: [holder], approved } as const;
  if (known === undefined) model.holds.push({ id, mandate, amount, ...placed });
  else if (!stands(model, known)) Object.assign(known, { ...placed, payee: known.payee ?? payee });
  else {
    known.payee ??= payee;
    // Asked for without an approval it is a hold like any other; with one it stays what it was.
    known.approved &&= approved;
    join(known, holder, expiresAt);
  }
  return success;
}

function join(hold: ModelHold, holder: string, expiresAt: number): void {
  if (!hold.holders.includes(holder)) hold.expiresAt = Math.max(hold.expiresAt, expiresAt);
  hold.holders = withHolder(hold.holders, holder);
}

const maxNames = 32;

/** Beyond that many, nobody is known by name. */
function withHolder(holders: readonly string[], newcomer: string): readonly string[] {
  const name = holders.length < maxNames ? newcomer : '';
  return holders.includes(name) ? holders : [...holders, name];
}

/** The code of the refusal under this policy, or null. */
export function whyNotHeld(
  model: Model,
  mandate: ModelMandate,
  request: HoldRequest,
  policy: Policy,
): number | null {
  if (mandate.deleted) return 80000053;
  const status = statusOf(model, mandate);
  if (status !== 'active') return codeOfState[status];
  if (policy.paused) return 80000053;
  const known = model.holds.find((hold) => hold.id === request.id);
  if (known !== undefined && (isOther(known, mandate, request) || known.state === 'used')) return 80000003;
  // A hold that stands is judged as if it did not.
  const others = { ...model, holds: model.holds.filter((hold) => hold !== known) };
  return whyAboveLimits(others, mandate, request, policy);
}

const isOther = (known: ModelHold, mandate: ModelMandate, { amount, payee }: HoldRequest): boolean =>
  known.mandate !== mandate || known.amount !== amount || (known.payee ?? payee) !== payee;

function whyAboveLimits(model: Model, mandate: ModelMandate, request: HoldRequest, policy: Policy) {
  if (listRefuses(policy, request)) return 80000004;
  const untold = exceededBy(model, mandate, request, policy).find((rule) => !request.told?.includes(rule));
  if (untold === undefined) return null;
  return untold.endsWith('BUDGET_EXCEEDED') ? 80000057 : 80000056;
}

/** Every rule that the payment exceeds, in the order in which it is told. */
function exceededBy(
  model: Model,
  mandate: ModelMandate,
  { amount }: HoldRequest,
  policy: Policy,
): readonly Rule[] {
  const { perTx } = mandate;
  const left = leftOf(model, mandate, policy);
  const rules: Readonly<Record<Rule, bigint>> = {
    PER_TX_LIMIT_EXCEEDED: perTx,
    APPROVAL_THRESHOLD_EXCEEDED: policy.threshold ?? amount,
    TOTAL_BUDGET_EXCEEDED: left.total,
    PERIOD_BUDGET_EXCEEDED: left.period ?? amount,
  };
  return (Object.keys(rules) as Rule[]).filter((rule) => amount > rules[rule]);
}

/** As `exceededBy`, of a hold as it is asked for now: one that stands is judged as if it did not. */
export function exceeded(model: Model, mandate: ModelMandate, request: HoldRequest): readonly Rule[] {
  const others = { ...model, holds: model.holds.filter(({ id }) => id !== request.id) };
  return exceededBy(others, mandate, request, mandate.policy);
}

const leftOf = (model: Model, mandate: ModelMandate, policy: Policy) => {
  const period = periodLeft(policy, mandate.uses, model.now);
  return {
    total: mandate.total - mandate.used - heldOf(model, mandate),
    period: period === null ? null : period - sum(standing(model, mandate)),
  };
};

/** The largest amount that every limit leaves. */
export function maxToHold(model: Model, mandate: ModelMandate): bigint {
  const { policy, perTx } = mandate;
  const { total, period } = leftOf(model, mandate, policy);
  const most = [perTx, policy.threshold ?? perTx, total, period ?? total].reduce((a, b) => (a < b ? a : b));
  return most > 0n ? most : 0n;
}

/** With a holder, for that one alone; else for all. */
export function release(model: Model, id: string, holder?: string): number {
  const known = model.holds.find((hold) => hold.id === id);
  if (known === undefined) return 80000011;
  if (known.state === 'used') return 80000003;
  known.holders = holder === undefined ? [] : known.holders.filter((name) => name !== holder);
  if (known.holders.length === 0) known.state = 'released';
  return success;
}

/** A payment that went through is consumed whatever has become of its mandate, unless that never was active. */
export function pay(
  model: Model,
  mandate: ModelMandate,
  { amount, holdId }: { readonly amount: bigint; readonly holdId: string | null },
): number {
  if (!mandate.wasActive) return mandate.deleted ? 80000053 : 80000004;
  const isActive = statusOf(model, mandate) === 'active';
  const known = model.holds.find((hold) => hold.id === holdId && hold.mandate === mandate);
  const isCovered = known !== undefined && !known.approved && stands(model, known) && amount <= known.amount;
  mandate.covered &&= isCovered;
  if (known !== undefined) known.state = 'used';
  mandate.used += amount;
  mandate.uses.push({ at: model.now, amount });
  mandate.count += 1;
  model.passed += amount;
  if (isActive && mandate.used >= mandate.total) mandate.status = 'exhausted';
  return success;
}
