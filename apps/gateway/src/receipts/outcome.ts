import { type GatewayCode, stageOf } from '@countersign/protocol/gateway/codes';
import type { Judged } from '../payment/checks/judge.ts';
import type { NotPaid, Paid } from '../payment/pay.ts';
import type { DemandRefusal } from '../rules/demand.ts';
import type { Verdict } from './receipt.ts';

/** The end of a priced call. */
export type End =
  /** It asked for money in a way that cannot be read. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'demand-refused'; readonly refusal: DemandRefusal }
  /** `payment` is null when the decision was not to pay. */
  | { readonly kind: 'decided'; readonly judged: Judged; readonly payment: Payment | null };

/** `owner-rejected`: the owner was asked and refused. */
export type Payment = NotPaid | Paid | { readonly kind: 'owner-rejected' };

/** Returns the envelope's verdict for this end, which verifying its receipt must reproduce. */
export function verdictOf(end: End): Verdict {
  const code = codeOf(end);
  const paymentMade =
    end.kind === 'decided' && end.payment?.kind === 'paid' && end.payment.settlement.kind === 'settled';
  return { stage: stageOf[code], code, paymentMade };
}

function codeOf(end: End): GatewayCode {
  switch (end.kind) {
    case 'unreadable':
      return 'PAYMENT_REQUIREMENT_INVALID';
    case 'demand-refused':
      return end.refusal.code;
    case 'decided':
      return end.payment === null ? decisionCode(end.judged) : paymentCode(end.payment);
  }
}

function decisionCode({ decision }: Judged): GatewayCode {
  switch (decision.kind) {
    case 'refuse':
      return decision.code;
    case 'ask-owner':
      return 'WALLET_APPROVAL_REQUIRED';
    case 'pay':
      throw new Error('a decision to pay ends in a payment or in the reason why there is none');
  }
}

function paymentCode(payment: Payment): GatewayCode {
  switch (payment.kind) {
    case 'over-limit':
      return 'WALLET_APPROVAL_REQUIRED';
    case 'refused':
      return payment.code;
    case 'approval-used':
      return 'APPROVAL_ALREADY_USED';
    case 'cancelled':
      return 'CANCELLED';
    case 'owner-rejected':
      return 'APPROVAL_REJECTED';
    case 'paid':
      return paidCode(payment);
  }
}

function paidCode({ settlement, outcome }: Paid): GatewayCode {
  switch (settlement.kind) {
    case 'settled':
      return outcome.kind === 'result' && !outcome.isError ? 'SUCCESS' : 'DOWNSTREAM_TOOL_ERROR';
    case 'rejected':
      return 'PAYMENT_REJECTED';
    case 'failed':
      return 'SETTLEMENT_FAILED';
    case 'unknown':
      return 'PAYMENT_OUTCOME_UNKNOWN';
  }
}
