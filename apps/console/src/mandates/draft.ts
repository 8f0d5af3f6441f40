import { parseAmount } from '@countersign/protocol/decimal';

/** The form of a new mandate, as text. */
export type Draft = {
  /** The agent wallet that it is for. */
  readonly payer: string;
  readonly title: string;
  readonly perTxLimit: string;
  readonly totalBudget: string;
  readonly validDays: string;
};

/** The payer of a draft without an agent: the signed-in wallet. */
export const ownWallet = '';

export const emptyDraft: Draft = {
  payer: ownWallet,
  title: '',
  perTxLimit: '',
  totalBudget: '',
  validDays: '30',
};

/** Returns an error message for each invalid field; empty when the draft can be sent. */
export function faultsOf(draft: Draft): Partial<Record<keyof Draft, string>> {
  const days = daysFault(draft.validDays);
  const limit = parseAmount(draft.perTxLimit);
  const budget = parseAmount(draft.totalBudget);
  return {
    ...(draft.title.trim() === '' && { title: 'Enter a name that you will recognise.' }),
    ...amountFault('perTxLimit', limit),
    ...amountFault('totalBudget', budget),
    ...(limit !== null &&
      budget !== null &&
      limit > budget && { perTxLimit: 'One payment cannot be larger than the total budget.' }),
    ...(days !== null && { validDays: days }),
  };
}

function amountFault(name: 'perTxLimit' | 'totalBudget', amount: bigint | null) {
  if (amount === null) return { [name]: 'Enter an amount, such as 12.50.' };
  return amount === 0n ? { [name]: 'Enter an amount above zero.' } : {};
}

/** Returns an error message for a number of days; null if it is valid. */
export const daysFault = (text: string): string | null =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 365 ? null : 'Enter a whole number of days, from 1 to 365.';
