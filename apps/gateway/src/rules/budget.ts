import type { Amount } from '@countersign/protocol/amount';
import type { LimitCode } from '@countersign/protocol/gateway/codes';
import type { SignedLimits } from './mandate-credential.ts';

/** The budget rule (document 1, Step 3), exact. Null when the amount fits both limits. */
export function exceededLimit(amount: Amount, limits: Omit<SignedLimits, 'total'>): LimitCode | null {
  if (amount > limits.perTxLimit) return 'PER_TX_LIMIT_EXCEEDED';
  return amount > limits.remaining ? 'TOTAL_BUDGET_EXCEEDED' : null;
}
