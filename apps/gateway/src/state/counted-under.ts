import type { PaymentEntry } from '../ports/payment-entry.ts';

/** The account on which the journal counts a payment: its mandate, or the UTC day; null for what the owner approved apart from both. */
export const countedUnder = ({ mandateId, day }: Pick<PaymentEntry, 'mandateId' | 'day'>): string | null =>
  mandateId ?? (day === undefined ? null : `day ${day}`);
