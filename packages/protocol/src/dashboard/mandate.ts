import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import { agentStatement } from './agent-wallet.ts';
import { mandateCredential } from './mandate-credential.ts';
import { mandatePolicy } from './policy.ts';

export const mandateStatus = z.enum(['pending', 'active', 'exhausted', 'expired', 'revoked']);
export type MandateStatus = z.infer<typeof mandateStatus>;

const time = z.iso.datetime();

/** An intent mandate, what is left of it and the policy beside it. Decimals are canonical text, times ISO 8601 with milliseconds (spec: dashboard.mandate). */
export const mandate = z.object({
  id: z.string(),
  accountId: z.string(),
  agentWallet: z
    .nullable(addressText)
    .describe('The agent wallet that pays under the mandate; null if the owner’s wallet pays itself'),
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

/** The mandate inside a `vc` answer (spec: dashboard.vc). */
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
    agentWallet: agentStatement
      .optional()
      .describe('Of an agent wallet: the owner’s statement about it, with their signature'),
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
        'Whether the wallet ever had a signed mandate, including deleted ones, or ever was an agent; null if the key may not know',
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
