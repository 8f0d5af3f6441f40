import type { MandateNotFoundReason } from '@countersign/protocol/dashboard/mandate';
import type { AssuranceRefusal, GatewayCode, LimitCode } from '@countersign/protocol/gateway/codes';
import type { AssuranceResult, ComplianceDecision } from '@countersign/protocol/gateway/envelope';
import type { Budget } from './budget.ts';

/** The rules of the check, in the order in which they are asked (gateway.assurance.order). */
export const assuranceRules = [
  'cart',
  'merchant',
  'merchant-signature',
  'cart-binding',
  'mandate',
  'credential',
  'limits',
] as const;

/** The same where the service signed an offer instead of a cart. */
export const offerRules = [
  'offer',
  'offer-binding',
  'offer-signature',
  'mandate',
  'credential',
  'limits',
] as const;

export type AssuranceRule = (typeof assuranceRules)[number] | (typeof offerRules)[number];

/** `rule` is the one that ended the check: all before it passed. */
export type AssuranceOutcome = { readonly rule: AssuranceRule } & (
  | { readonly kind: 'passed'; readonly mandateId: string; readonly budget: Budget }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'over-limit'; readonly code: LimitCode; readonly mandateId: string }
  | {
      readonly kind: 'refused';
      readonly code: AssuranceRefusal;
      readonly mandateId?: string;
      /** Detail that the code does not express, as one clause in our words. */
      readonly why?: string;
      /** The fate of the newest mandate, for the record. */
      readonly reason?: MandateNotFoundReason;
    }
);

export type AssuranceVerdict = AssuranceOutcome & { readonly result: AssuranceResult };

export type ComplianceVerdict = {
  readonly payer: ComplianceDecision;
  readonly payee: ComplianceDecision;
  /** Null when both parties passed. Payer before payee, KYT before KYC. */
  readonly refusal: GatewayCode | null;
};
