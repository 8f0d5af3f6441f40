import type { GatewayCode } from '@countersign/protocol/gateway/codes';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { askOwner } from './challenge.ts';
import { explainRefusal } from './checks/assurance.ts';
import type { Paid } from './pay.ts';
import type { CallOutcome, CallRefusal, GatewayPorts, ToolCall } from './ports.ts';
import { transactionReport } from './report.ts';
import { detailOf, envelope, type Facts, messages, price, signedContext } from './reply.ts';
import type { ApprovalRefusal } from './rules/approval.ts';
import type { ApprovalReason } from './rules/decide.ts';
import type { DemandRefusal } from './rules/demand.ts';

/** The call was not sent. */
export function refuseToSend(ports: GatewayPorts, call: ToolCall, refusal: CallRefusal): GatewayEnvelope {
  const where =
    refusal.code === 'INVALID_ARGUMENTS' && refusal.where !== '' ? ` Look at ${refusal.where}.` : '';
  return envelope(call, ports.now(), refusal.code, messages[refusal.code] + where);
}

/** What the agent brought is not the owner's approval of this call. */
export const refuseApproval = (ports: GatewayPorts, call: ToolCall, code: ApprovalRefusal): GatewayEnvelope =>
  envelope(call, ports.now(), code, messages[code]);

/** The service answered without asking for money, or did not answer. */
export function unpaid(
  ports: GatewayPorts,
  call: ToolCall,
  outcome: Exclude<CallOutcome, { kind: 'payment-required' }>,
): GatewayEnvelope {
  const code = unpaidCode(outcome);
  const content = 'content' in outcome ? outcome.content : null;
  return envelope(call, ports.now(), code, messages[code], { downstreamContent: content });
}

function unpaidCode(outcome: Exclude<CallOutcome, { kind: 'payment-required' }>): GatewayCode {
  switch (outcome.kind) {
    case 'result':
      return outcome.isError ? 'DOWNSTREAM_TOOL_ERROR' : 'SUCCESS';
    case 'requirement-malformed':
      return 'PAYMENT_REQUIREMENT_INVALID';
    case 'protocol-error':
      return 'DOWNSTREAM_TOOL_ERROR';
    case 'unavailable':
      return 'DOWNSTREAM_UNAVAILABLE';
    case 'timeout':
      return 'DOWNSTREAM_TIMEOUT';
  }
}

/** The price itself is refused; nobody was looked up, so there is no record to make. */
export function refuseDemand(
  ports: GatewayPorts,
  call: ToolCall,
  { code, why, requirement }: DemandRefusal,
): GatewayEnvelope {
  const paymentContext = requirement === null ? null : { ...requirement, payer: ports.wallet.address };
  return envelope(call, ports.now(), code, `${messages[code]} Reason: ${why}.`, { paymentContext });
}

/** A check refused the payment. */
export async function refuse(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  { code, why }: { readonly code: GatewayCode; readonly why: string | null },
): Promise<GatewayEnvelope> {
  // Without a dashboard there is nobody to report to, and nothing to report: the refusal is our own configuration.
  if (code !== 'COMPLIANCE_NOT_CONFIGURED') {
    await ports.state.report(
      transactionReport(call, facts, { result: 'reject', code, chain: ports.chainName }),
      null,
    );
  }
  const message = why === null ? messages[code] : `${messages[code]} Reason: ${why}.`;
  return envelope(call, ports.now(), code, message, detailOf(facts));
}

/** The mandate ended between its check and its hold. */
export const refuseAtHold = (
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  code: 'MANDATE_NOT_FOUND' | 'MANDATE_EXPIRED' | 'ASSURANCE_API_ERROR',
): Promise<GatewayEnvelope> =>
  refuse(ports, call, { ...facts, assurance: explainRefusal(facts.assurance, code) }, { code, why: null });

/** The decision returns to the owner: not a rejection (document 1, States and transitions). */
export async function challenge(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  reason: ApprovalReason,
): Promise<GatewayEnvelope> {
  const limited = { ...facts, assurance: explainRefusal(facts.assurance, reason) };
  const code = 'WALLET_APPROVAL_REQUIRED';
  await ports.state.report(
    transactionReport(call, limited, { result: 'reject', code, chain: ports.chainName }),
    null,
  );
  const message = `${price(facts.demand)}: ${messages[reason]} ${messages[code]}`;
  const approval = await askOwner(ports, call, limited, reason);
  return envelope(call, ports.now(), code, message, detailOf(limited, { approval }));
}

/** The payment was sent. Recorded before the answer leaves; `paymentMade` is true only when it settled. */
export async function answerPaid(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  paid: Paid,
): Promise<GatewayEnvelope> {
  const { settlement, outcome, entry } = paid;
  const code = paidCode(paid);
  const settled = settlement.kind === 'settled';
  const report = transactionReport(call, facts, {
    result: settled ? 'pass' : 'error',
    // A tool that fails after a settled payment is a passed transaction: the money moved.
    code,
    chain: ports.chainName,
    nonce: entry.nonce,
    ...(settled && { transaction: settlement.transaction, mandateId: entry.mandateId, holdId: entry.holdId }),
  });
  await ports.state.report(report, settled ? entry.nonce : null);
  const paidText = settled ? `Paid ${price(facts.demand)}. ${messages[code]}` : messages[code];
  return envelope(call, ports.now(), code, paidText, {
    ...detailOf(facts, signedContext(entry)),
    paymentMade: settled,
    paymentResponse: 'response' in settlement ? settlement.response : null,
    downstreamContent: 'content' in outcome ? outcome.content : null,
  });
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
