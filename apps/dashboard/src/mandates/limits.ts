import { parseAmount, zero } from '@countersign/protocol/amount';
import type { Refusal } from '../refusal.ts';

type Limits = { readonly perTxLimit: string; readonly totalBudget: string };

/** Refuses a limit of zero, which nothing could be paid under; those that are not given are not looked at. */
export function whyNothing({ perTxLimit, totalBudget }: { [K in keyof Limits]?: Limits[K] | undefined }) {
  const isZero = ([, text]: readonly [string, string | undefined]) =>
    text !== undefined && parseAmount(text) === zero;
  const zeros = Object.entries({ perTxLimit, totalBudget }).filter(isZero);
  if (zeros.length === 0) return null;
  const msg = zeros.map(([name]) => `${name}: must be above 0`).join('; ');
  return { code: 'INVALID_PARAM', msg } as const satisfies Refusal;
}

/** Refuses a transaction limit that the budget as a whole could never meet. */
export const whyAboveBudget = ({ perTxLimit, totalBudget }: Limits): Refusal | null =>
  (parseAmount(perTxLimit) ?? zero) > (parseAmount(totalBudget) ?? zero)
    ? { code: 'INTENT_PER_TX_EXCEEDED', msg: 'perTxLimit must not exceed totalBudget' }
    : null;
