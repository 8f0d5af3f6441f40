import type { ComplianceDecision } from '@countersign/protocol/gateway/envelope';
import { judgedIn } from '../rules/judged-terms.ts';
import type { MerchantReceipt } from '../rules/merchant-receipt.ts';
import { type AssuranceRule, assuranceRules, offerRules } from '../rules/verdicts.ts';
import type { Judged } from '../payment/checks/judge.ts';
import type { Demand } from '../rules/demand.ts';
import type { Settlement } from '../rules/settlement.ts';
import type { End, Payment } from './outcome.ts';
import type { TraceStep } from './receipt.ts';

/** The rules of a decision in the order in which they count, each with what it said. */
export function traceOf(end: End): readonly TraceStep[] {
  switch (end.kind) {
    case 'unreadable':
      return [step('requirement', 'refuse', 'its copies differ, or make no sense')];
    case 'demand-refused':
      return [step('requirement', 'refuse', end.refusal.why)];
    case 'decided':
      return [...decisionTrace(end.judged), ...(end.payment === null ? [] : paymentTrace(end.payment))];
  }
}

function decisionTrace(judged: Judged): readonly TraceStep[] {
  return [
    step('requirement', 'pass'),
    ...approvalTrace(judged),
    screening('payer-screening', judged.compliance.payer),
    screening('payee-screening', judged.compliance.payee),
    ...assuranceTrace(judged),
    policy(judged),
  ];
}

function approvalTrace({ approval, approved }: Judged): readonly TraceStep[] {
  if (approval === null) return [];
  return [approved ? step('approval', 'pass') : step('approval', 'refuse', 'it is for another payment')];
}

const screening = (rule: string, { passed, reasonCode }: ComplianceDecision): TraceStep =>
  step(rule, passed ? 'pass' : 'refuse', reasonCode);

/** All rules before the one that ended the check have passed; those after it were not asked. */
function assuranceTrace({ assuranceRule, assurance, demand }: Judged): readonly TraceStep[] {
  const { passed, errorCode } = assurance;
  const isLimit = errorCode === 'PER_TX_LIMIT_EXCEEDED' || errorCode === 'TOTAL_BUDGET_EXCEEDED';
  const failed = isLimit ? 'ask-owner' : 'refuse';
  const noCart = demand.cart.kind === 'missing' ? [step('cart', 'skip', 'CART_MANDATE_MISSING')] : [];
  if (assuranceRule === 'cart' && noCart.length > 0) return noCart;
  const asked = rulesAsked(demand);
  const before = asked.slice(0, asked.indexOf(assuranceRule));
  const wasSkipped = assuranceRule === 'mandate' && passed;
  const last = passed
    ? step(assuranceRule, wasSkipped ? 'skip' : 'pass')
    : step(assuranceRule, failed, errorCode);
  return [...noCart, ...before.map((rule) => step(rule, 'pass')), last];
}

/** Without a cart its rules were not asked. */
function rulesAsked(demand: Demand): readonly AssuranceRule[] {
  switch (judgedIn(demand)) {
    case 'cart':
      return assuranceRules;
    case 'offer':
      return offerRules;
    case 'requirement':
      return assuranceRules.slice(assuranceRules.indexOf('mandate'));
  }
}

function policy({ decision }: Judged): TraceStep {
  switch (decision.kind) {
    case 'pay':
      return step('policy', 'pass');
    case 'ask-owner':
      return step('policy', 'ask-owner', decision.reason);
    case 'refuse':
      return step('policy', 'refuse', decision.why ?? decision.code);
  }
}

function paymentTrace(payment: Payment): readonly TraceStep[] {
  switch (payment.kind) {
    case 'over-limit':
      return [step('hold', 'ask-owner', payment.code)];
    case 'refused':
      return [step('hold', 'refuse', payment.code)];
    case 'approval-used':
      return [step('hold', 'refuse', 'APPROVAL_ALREADY_USED')];
    case 'cancelled':
      return [step('sending', 'refuse', 'CANCELLED')];
    case 'owner-rejected':
      return [step('owner', 'refuse', 'APPROVAL_REJECTED')];
    case 'paid':
      return [
        step('hold', 'pass'),
        step('settlement', settled[payment.settlement.kind]),
        ...receiptTrace(payment.merchantReceipt),
      ];
  }
}

/** Nothing where the service signs neither offers nor receipts. */
function receiptTrace(receipt: MerchantReceipt | null): readonly TraceStep[] {
  switch (receipt?.kind) {
    case undefined:
      return [];
    case 'verified':
      return [step('merchant-receipt', 'pass')];
    case 'missing':
      return [step('merchant-receipt', 'skip', 'the service sent no receipt')];
    case 'wrong':
      return [step('merchant-receipt', 'refuse', receipt.why)];
  }
}

const settled = {
  settled: 'pass',
  rejected: 'refuse',
  failed: 'refuse',
  unknown: 'unknown',
} as const satisfies Record<Settlement['kind'], TraceStep['verdict']>;

const step = (rule: string, verdict: TraceStep['verdict'], why?: string): TraceStep => ({
  rule,
  verdict,
  ...(why !== undefined && { why }),
});
