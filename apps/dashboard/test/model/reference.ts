import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';

// What the dashboard must be, in the fewest words: no database, no concurrency, one account. Amounts are integers of
// 10^-18, times are milliseconds. Codes are those of the wire.

export type ModelMandate = {
  readonly id: string;
  readonly typedData: unknown;
  readonly perTx: bigint;
  readonly total: bigint;
  readonly expiresAt: number;
  /** As decided; that it has expired is seen by `statusOf`. */
  status: MandateStatus;
  wasActive: boolean;
  used: bigint;
  count: number;
  /** Every payment so far was within a hold that still stood when it was reported. */
  covered: boolean;
};

export type ModelHold = {
  readonly id: string;
  readonly mandate: ModelMandate;
  readonly amount: bigint;
  expiresAt: number;
  state: 'open' | 'used' | 'released';
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

export const newModel = (now: number): Model => ({ now, mandates: [], holds: [], reports: [], passed: 0n });

export const statusOf = ({ now }: Model, { status, expiresAt }: ModelMandate): MandateStatus =>
  (status === 'pending' || status === 'active') && expiresAt <= now ? 'expired' : status;

const stands = (model: Model, hold: ModelHold): boolean =>
  hold.state === 'open' && hold.expiresAt > model.now;

export const heldOf = (model: Model, mandate: ModelMandate): bigint =>
  model.holds
    .filter((hold) => hold.mandate === mandate && stands(model, hold))
    .reduce((sum, { amount }) => sum + amount, 0n);

export const remainingOf = (model: Model, mandate: ModelMandate): bigint => {
  const remaining = mandate.total - mandate.used - heldOf(model, mandate);
  return remaining > 0n ? remaining : 0n;
};

const success = 80000000;
const codeOfState = { pending: 80000053, revoked: 80000053, expired: 80000054, exhausted: 80000055 } as const;

/** The owner signs: the code, and the newer mandate takes the place of the one that is still active. */
export function sign(model: Model, mandate: ModelMandate): number {
  const status = statusOf(model, mandate);
  if (status === 'active') return 80000003;
  if (status !== 'pending') return codeOfState[status];
  for (const other of model.mandates) if (statusOf(model, other) === 'active') other.status = 'revoked';
  mandate.status = 'active';
  mandate.wasActive = true;
  return success;
}

export function revoke(model: Model, mandate: ModelMandate): number {
  const status = statusOf(model, mandate);
  if (status !== 'active') return codeOfState[status];
  mandate.status = 'revoked';
  return success;
}

type HoldRequest = { readonly id: string; readonly amount: bigint; readonly ttlSeconds: number };

export function hold(model: Model, mandate: ModelMandate, request: HoldRequest): number {
  const { id, amount, ttlSeconds } = request;
  const status = statusOf(model, mandate);
  if (status !== 'active') return codeOfState[status];
  const known = model.holds.find((hold) => hold.id === id);
  if (known !== undefined) {
    if (known.mandate !== mandate || known.amount !== amount || known.state === 'used') return 80000003;
    if (stands(model, known)) return success;
  }
  if (amount > mandate.perTx) return 80000056;
  if (amount > mandate.total - mandate.used - heldOf(model, mandate)) return 80000057;
  const expiresAt = model.now + ttlSeconds * 1000;
  if (known === undefined) model.holds.push({ id, mandate, amount, expiresAt, state: 'open' });
  else Object.assign(known, { expiresAt, state: 'open' });
  return success;
}

export function release(model: Model, id: string): number {
  const known = model.holds.find((hold) => hold.id === id);
  if (known === undefined) return 80000011;
  if (known.state === 'used') return 80000003;
  known.state = 'released';
  return success;
}

/** A payment that went through is consumed whatever has become of its mandate, unless that never was active. */
export function pay(
  model: Model,
  mandate: ModelMandate,
  { amount, holdId }: { readonly amount: bigint; readonly holdId: string | null },
): number {
  if (!mandate.wasActive) return 80000004;
  const isActive = statusOf(model, mandate) === 'active';
  const known = model.holds.find((hold) => hold.id === holdId && hold.mandate === mandate);
  const isCovered = known !== undefined && stands(model, known) && amount <= known.amount;
  mandate.covered &&= isCovered;
  if (known !== undefined) known.state = 'used';
  mandate.used += amount;
  mandate.count += 1;
  model.passed += amount;
  if (isActive && mandate.used >= mandate.total) mandate.status = 'exhausted';
  return success;
}
