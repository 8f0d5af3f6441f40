import { z } from 'zod';
import { decimalText } from '../amount.ts';
import { mandateCredential } from './mandate-credential.ts';
import { mandatePolicy } from './policy.ts';

export const mandateStatus = z.enum(['pending', 'active', 'exhausted', 'expired', 'revoked']);
export type MandateStatus = z.infer<typeof mandateStatus>;

const time = z.iso.datetime();

/** Document 2's IntentMandate, with what is left of it and the policy beside it. Decimals are canonical text, times ISO 8601 with milliseconds. */
export const mandate = z.object({
  id: z.string(),
  accountId: z.string(),
  title: z.string(),
  perTxLimit: decimalText,
  totalBudget: decimalText,
  usedAmount: z.string(),
  heldAmount: z.string(),
  remainingBudget: z.string(),
  transactionCount: z.int(),
  lastUsedAt: z.nullable(time),
  signature: z.nullable(z.string()),
  vcJson: z.nullable(mandateCredential),
  status: mandateStatus,
  expiresAt: time,
  createdAt: time,
  policy: mandatePolicy,
});
export type Mandate = z.infer<typeof mandate>;

/** The mandate inside a `vc` answer (document 2, endpoint 2). */
export const activeMandate = z.object({
  id: z.string(),
  perTxLimit: decimalText,
  totalBudget: decimalText,
  usedAmount: z.string(),
  transactionCount: z.int(),
  expiresAt: time,
  status: mandateStatus,
});

/** `data` of the credential endpoint, found or not. `remainingBudget` is never negative; `hadMandate` is ours (dashboard.vc.had-mandate). */
export const mandateLookup = z.union([
  z.object({
    found: z.literal(true),
    mandate: activeMandate,
    remainingBudget: decimalText,
    usagePercent: z.number(),
    vcJson: mandateCredential,
  }),
  z.object({
    found: z.literal(false),
    mandate: z.null(),
    remainingBudget: z.null(),
    usagePercent: z.null(),
    vcJson: z.null(),
    hadMandate: z
      .nullable(z.boolean())
      .describe(
        'Whether the wallet ever had a mandate that was signed, also a deleted one; null where the key may not know',
      ),
  }),
]);
export type MandateLookup = z.infer<typeof mandateLookup>;

export const mandateNotFoundReasons = [
  'MANDATE_NOT_FOUND',
  'MANDATE_EXPIRED',
  'MANDATE_EXHAUSTED',
  'MANDATE_REVOKED',
  'MANDATE_PENDING',
  'MANDATE_PAUSED',
] as const;
export type MandateNotFoundReason = (typeof mandateNotFoundReasons)[number];
