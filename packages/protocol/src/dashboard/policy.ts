import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';

export const policyPeriod = z.enum(['day', 'week', 'month']);
export type PolicyPeriod = z.infer<typeof policyPeriod>;

/** The effect of the first payment to a payee. */
export const newPayees = z.enum(['pay', 'ask']);

/**
 * What an owner sets beside a mandate, without a signature, because it can only refuse what the signed limits allow.
 * Null lifts a rule; an empty list allows nobody. Periods are calendar periods in UTC, weeks begin on Monday.
 */
export const mandatePolicy = z.object({
  paused: z.boolean(),
  period: z.nullable(z.object({ every: policyPeriod, budget: decimalText })),
  allowedMerchants: z.nullable(z.array(addressText).max(100)),
  allowedServices: z.nullable(z.array(z.string().min(1).max(64)).max(100)),
  approvalThreshold: z.nullable(decimalText),
  newPayees: newPayees
    .optional()
    .describe(
      '`ask`: the first payment to each payee needs the owner’s approval. Absent, it stays as it is; a new mandate takes it from the wallet’s last one',
    ),
});
export type MandatePolicy = z.infer<typeof mandatePolicy>;

/** The rules that hand a payment to the owner, in the order in which a hold is judged by them. */
export const exceededRule = z.enum([
  'NEW_PAYEE',
  'PER_TX_LIMIT_EXCEEDED',
  'APPROVAL_THRESHOLD_EXCEEDED',
  'TOTAL_BUDGET_EXCEEDED',
  'PERIOD_BUDGET_EXCEEDED',
]);
export type ExceededRule = z.infer<typeof exceededRule>;

/** `data` of a hold's refusal that is the owner's to lift: every rule that the payment exceeds. */
export const exceededRules = z.object({ exceeded: z.array(exceededRule).min(1) });

/** Words of the policy's refusals, in `msg` of a hold's answer. */
export type PolicyRefusal =
  | 'MANDATE_PAUSED'
  | 'PERIOD_BUDGET_EXCEEDED'
  | 'APPROVAL_THRESHOLD_EXCEEDED'
  | 'NEW_PAYEE'
  | 'MERCHANT_NOT_ALLOWED'
  | 'SERVICE_NOT_ALLOWED'
  /** Not the owner's rule: the business record that vouches for the payee is for other networks. */
  | 'PAYEE_ON_OTHER_NETWORKS';
