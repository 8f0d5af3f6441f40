import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { signedLimits } from '@countersign/protocol/dashboard/signed-limits';
import { addAmounts, formatAmount, parseAmount, zero } from '@countersign/protocol/decimal';

/** The form of an edited mandate, as text. */
export type Edit = { readonly title: string; readonly perTxLimit: string; readonly totalBudget: string };

export const editOf = ({ title, perTxLimit, totalBudget }: Mandate): Edit => ({
  title,
  perTxLimit,
  totalBudget,
});

const amountOf = (text: string) => parseAmount(text) ?? zero;
/** `1` and `1.00` are one amount. */
export const sameAmount = (a: string, b: string): boolean => parseAmount(a) === parseAmount(b);

/** Returns the amount already used or held, below which no budget can be set. */
export const spokenFor = ({ usedAmount, heldAmount }: Mandate): string =>
  formatAmount(addAmounts(amountOf(usedAmount), amountOf(heldAmount)));

/** Returns an error message for each invalid field; empty when the edit can be sent. */
export function editFaults(mandate: Mandate, edit: Edit): Partial<Record<keyof Edit, string>> {
  const [limit, budget] = [parseAmount(edit.perTxLimit), parseAmount(edit.totalBudget)];
  const belowUse = budget !== null && budget < amountOf(spokenFor(mandate));
  const limitMoved = !sameAmount(edit.perTxLimit, mandate.perTxLimit);
  return {
    ...(edit.title.trim() === '' && { title: 'Enter a name that you will recognise.' }),
    ...(limitMoved &&
      limit !== null &&
      budget !== null &&
      limit > budget && { perTxLimit: 'One payment cannot be larger than the total budget.' }),
    ...(limit === null && { perTxLimit: 'Enter an amount, such as 12.50.' }),
    ...(limit === zero && { perTxLimit: 'Enter an amount above zero.' }),
    ...(belowUse && { totalBudget: `${spokenFor(mandate)} USDC is already used or held.` }),
    ...(budget === null && { totalBudget: 'Enter an amount, such as 12.50.' }),
    ...(budget === zero && { totalBudget: 'Enter an amount above zero.' }),
  };
}

/**
 * What saving would do. A name is no part of what was signed; a budget moves freely below the signed one; everything
 * else voids the signature.
 */
export function consequenceOf(mandate: Mandate, edit: Edit): 'nothing' | 'at-once' | 'signature' {
  if (!sameAmount(edit.perTxLimit, mandate.perTxLimit)) return 'signature';
  if (!sameAmount(edit.totalBudget, mandate.totalBudget)) {
    const signed = mandate.vcJson === null ? null : signedLimits(mandate.vcJson);
    return signed !== null && amountOf(edit.totalBudget) <= amountOf(signed.totalBudget)
      ? 'at-once'
      : 'signature';
  }
  return edit.title.trim() === mandate.title ? 'nothing' : 'at-once';
}
