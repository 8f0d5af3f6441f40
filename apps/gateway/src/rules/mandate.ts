import type { Amount } from '@countersign/protocol/amount';

/** The active mandate as the dashboard tells it, unverified. */
export type MandateAnswer = {
  readonly id: string;
  readonly status: string;
  readonly perTxLimit: Amount;
  readonly totalBudget: Amount;
  readonly usedAmount: Amount;
  readonly remainingBudget: Amount;
  /** The text that was signed. */
  readonly expiresAt: string;
  readonly credential: unknown;
  /** The owner's statement about the agent wallet, where the dashboard gives one. */
  readonly statement?: unknown;
};
