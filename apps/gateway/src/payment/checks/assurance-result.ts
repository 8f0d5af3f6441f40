import type { AssuranceErrorCode } from '@countersign/protocol/gateway/codes';
import type { ExceededRule } from '@countersign/protocol/dashboard/policy';
import type { AssuranceResult } from '@countersign/protocol/gateway/envelope';
import type { Demand } from '../../rules/demand.ts';
import { judgedIn } from '../../rules/judged-terms.ts';
import type { AssuranceOutcome } from '../../rules/verdicts.ts';

/** The result once something stood in the way after the check: a limit, or a mandate that ended meanwhile. */
export function explainRefusal(result: AssuranceResult, reason: AssuranceErrorCode): AssuranceResult {
  return { ...result, passed: false, ...explained(reason) };
}

/** Every rule that the owner is asked about, in words. One that we have none for is told by the code. */
export const explainLimits = (reason: AssuranceErrorCode, rules: readonly string[]): string =>
  [...new Set(rules.map((rule) => limits[rule] ?? assuranceMessages[reason]))].join(' ');

/** The check as the envelope tells it. Where nobody signed the price, a pass says so too. */
export function resultOf(outcome: AssuranceOutcome, demand: Demand, checkedAt: string): AssuranceResult {
  const judged = judgedIn(demand);
  const unsigned = judged === 'requirement' ? explained('CART_MANDATE_MISSING') : {};
  switch (outcome.kind) {
    case 'passed':
      return { passed: true, ...unsigned, checkedAt, mandateId: outcome.mandateId };
    case 'skipped':
      return { passed: true, ...unsigned, checkedAt };
    case 'over-limit':
    case 'refused':
      return {
        passed: false,
        ...explained(outcome.code, judged === 'offer' ? offerMessages : {}),
        checkedAt,
        ...(outcome.mandateId !== undefined && { mandateId: outcome.mandateId }),
      };
  }
}

const explained = (errorCode: AssuranceErrorCode, others: typeof offerMessages = {}) => ({
  errorCode,
  errorMessage: others[errorCode] ?? assuranceMessages[errorCode],
});

/** The codes of a cart say the same of an offer, in other words. */
const offerMessages: { readonly [C in AssuranceErrorCode]?: string } = {
  MERCHANT_SIGNATURE_INVALID: "The signature over the service's offer does not hold.",
  CART_MANDATE_INVALID: "The service's signed offer is malformed.",
  CART_MANDATE_MISMATCH: "The service's signed offer is not for this payment, or has expired.",
};

export const assuranceMessages = {
  MERCHANT_SIGNATURE_INVALID: "The merchant's signature over the cart does not hold.",
  MERCHANT_NOT_REGISTERED:
    'The merchant has no account at the dashboard, so its signature cannot be checked.',
  CART_MANDATE_INVALID: 'The cart mandate is incomplete or malformed.',
  CART_MANDATE_MISMATCH: 'The signed cart names another amount, payee or currency than the payment.',
  VC_PROOF_INVALID: "The owner's signature over the mandate does not hold.",
  MANDATE_NOT_FOUND: 'The owner has no active mandate. The owner can sign one in the dashboard.',
  MANDATE_EXPIRED: "The owner's mandate has expired. The owner can renew it in the dashboard.",
  MANDATE_TAMPERED: 'The dashboard tells other terms than the owner signed.',
  ASSURANCE_API_ERROR: 'A dashboard look-up gave no trustworthy answer.',
  PER_TX_LIMIT_EXCEEDED: "The amount is above the mandate's limit for one transaction.",
  TOTAL_BUDGET_EXCEEDED: "The amount is above what is left of the mandate's budget.",
  CART_MANDATE_MISSING: 'The service sent no cart mandate; the check of its signature was skipped.',
} satisfies Record<AssuranceErrorCode, string>;

const limits: Readonly<Record<string, string>> = {
  PER_TX_LIMIT_EXCEEDED: assuranceMessages.PER_TX_LIMIT_EXCEEDED,
  TOTAL_BUDGET_EXCEEDED: assuranceMessages.TOTAL_BUDGET_EXCEEDED,
  CART_MANDATE_MISSING: assuranceMessages.CART_MANDATE_MISSING,
  NEW_PAYEE:
    'The owner wants to be asked about the first payment to each payee, and this is the first one to this payee.',
  APPROVAL_THRESHOLD_EXCEEDED: 'The amount is above what the owner lets pass without asking.',
  PERIOD_BUDGET_EXCEEDED: "The amount is above what is left of the owner's budget for this period.",
} satisfies Record<ExceededRule | 'CART_MANDATE_MISSING', string>;
