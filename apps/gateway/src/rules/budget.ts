import type { Amount } from '@countersign/protocol/amount';
import type { LimitCode } from '@countersign/protocol/gateway/codes';
import type { SignedLimits } from './mandate-credential.ts';

/** The budget rule (spec: gateway.assurance), exact. Null when the amount fits both limits. */
export function exceededLimit(amount: Amount, limits: Omit<SignedLimits, 'total'>): LimitCode | null {
  if (amount > limits.perTxLimit) return 'PER_TX_LIMIT_EXCEEDED';
  return amount > limits.remaining ? 'TOTAL_BUDGET_EXCEEDED' : null;
}

/** The limits that a payment must fit into. */
export type Budget = {
  /** The remaining budget that the dashboard reported. */
  readonly remaining: Amount;
  /** Unix ms at which the look-up of `remaining` began. */
  readonly askedAt: number;
  /** The total that the owner signed: what left from here stays below it, whatever the dashboard says. */
  readonly signed: Amount;
};
