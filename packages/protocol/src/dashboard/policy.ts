import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';

export const policyPeriod = z.enum(['day', 'week', 'month']);
export type PolicyPeriod = z.infer<typeof policyPeriod>;

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
});
export type MandatePolicy = z.infer<typeof mandatePolicy>;

/** Words of the policy's refusals, in `msg` of a hold's answer. */
export type PolicyRefusal =
  | 'MANDATE_PAUSED'
  | 'PERIOD_BUDGET_EXCEEDED'
  | 'APPROVAL_THRESHOLD_EXCEEDED'
  | 'MERCHANT_NOT_ALLOWED'
  | 'SERVICE_NOT_ALLOWED';
