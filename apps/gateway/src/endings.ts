import type { GatewayCode } from '@countersign/protocol/gateway/codes';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { inSpan } from '@countersign/service/trace';
import { askOwner } from './challenge.ts';
import { explainRefusal } from './checks/assurance.ts';
import type { Judged } from './checks/judge.ts';
import type { NotPaid, Paid } from './pay.ts';
import type { CallOutcome, CallRefusal, GatewayPorts, ToolCall } from './ports.ts';
import type { WatchedPorts } from './receipts/evidence.ts';
import { type End, verdictOf } from './receipts/outcome.ts';
import type { Reported } from './receipts/receipt.ts';
import { seal } from './receipts/seal.ts';
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

type Unpaid = Exclude<CallOutcome, { kind: 'payment-required' | 'requirement-malformed' }>;

/** The service answered without asking for money, or did not answer. */
export function unpaid(ports: GatewayPorts, call: ToolCall, outcome: Unpaid): GatewayEnvelope {
  const code = unpaidCode(outcome);
  const content = 'content' in outcome ? outcome.content : null;
  return envelope(call, ports.now(), code, messages[code], { downstreamContent: content });
}

function unpaidCode(outcome: Unpaid): GatewayCode {
  switch (outcome.kind) {
    case 'result':
      return outcome.isError ? 'DOWNSTREAM_TOOL_ERROR' : 'SUCCESS';
    case 'protocol-error':
      return 'DOWNSTREAM_TOOL_ERROR';
    case 'unavailable':
      return 'DOWNSTREAM_UNAVAILABLE';
    case 'timeout':
      return 'DOWNSTREAM_TIMEOUT';
  }
}

/** The service asks for money in a way that cannot be read. */
export async function refuseUnreadable(
  ports: WatchedPorts,
  call: ToolCall,
  { content }: Extract<CallOutcome, { kind: 'requirement-malformed' }>,
): Promise<GatewayEnvelope> {
  const code = 'PAYMENT_REQUIREMENT_INVALID';
  const receipt = await leave(ports, call, { kind: 'unreadable' }, null);
  const paymentContext = { payer: ports.wallet.address, ...receipt };
  return envelope(call, ports.now(), code, messages[code], { paymentContext, downstreamContent: content });
}

/** The price itself is refused; nobody was looked up, so there is no record to make. */
export async function refuseDemand(
  ports: WatchedPorts,
  call: ToolCall,
  refusal: DemandRefusal,
): Promise<GatewayEnvelope> {
  const { code, why, requirement } = refusal;
  const receipt = await leave(ports, call, { kind: 'demand-refused', refusal }, null);
  const paymentContext = { ...requirement, payer: ports.wallet.address, ...receipt };
  return envelope(call, ports.now(), code, `${messages[code]} Reason: ${why}.`, { paymentContext });
}

/** A check refused the payment. */
export async function refuse(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  { code, why }: { readonly code: GatewayCode; readonly why: string | null },
): Promise<GatewayEnvelope> {
  // Without a dashboard there is nobody to report to, and nothing to report: the refusal is our own configuration.
  const record = code === 'COMPLIANCE_NOT_CONFIGURED' ? null : rejected(judged);
  const receipt = await leave(ports, call, { kind: 'decided', judged, payment: null }, record);
  const message = why === null ? messages[code] : `${messages[code]} Reason: ${why}.`;
  return envelope(call, ports.now(), code, message, detailOf(judged, receipt));
}

/** The mandate ended between its check and its hold, or the owner's policy keeps this payee or service out. */
export async function refuseAtHold(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  payment: Extract<NotPaid, { kind: 'refused' }>,
): Promise<GatewayEnvelope> {
  const { code } = payment;
  const isPolicy = code === 'PAYMENT_UNSUPPORTED';
  const ended = isPolicy ? judged : { ...judged, assurance: explainRefusal(judged.assurance, code) };
  const message = isPolicy ? `${messages[code]} Reason: ${payment.why}.` : messages[code];
  const receipt = await leave(ports, call, { kind: 'decided', judged, payment }, rejected(ended));
  return envelope(call, ports.now(), code, message, detailOf(ended, receipt));
}

/** Another call used the approval while this one was being checked. */
export async function refuseUsedApproval(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  payment: Extract<NotPaid, { kind: 'approval-used' }>,
): Promise<GatewayEnvelope> {
  const code = 'APPROVAL_ALREADY_USED';
  const receipt = await leave(ports, call, { kind: 'decided', judged, payment }, null);
  return envelope(call, ports.now(), code, messages[code], detailOf(judged, receipt));
}

/** The decision returns to the owner: not a rejection (document 1, States and transitions). */
export async function challenge(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  reason: ApprovalReason,
  payment: NotPaid | null = null,
): Promise<GatewayEnvelope> {
  const limited = { ...judged, assurance: explainRefusal(judged.assurance, reason) };
  const code = 'WALLET_APPROVAL_REQUIRED';
  const receipt = await leave(ports, call, { kind: 'decided', judged, payment }, rejected(limited));
  const message = `${price(judged.demand)}: ${messages[reason]} ${messages[code]}`;
  const approval = await askOwner(ports, call, limited, reason);
  return envelope(call, ports.now(), code, message, detailOf(limited, { approval, ...receipt }));
}

/** The payment was sent. Recorded before the answer leaves; `paymentMade` is true only when it settled. */
export async function answerPaid(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  paid: Paid,
): Promise<GatewayEnvelope> {
  const { settlement, outcome, entry } = paid;
  const end: End = { kind: 'decided', judged, payment: paid };
  const { code, paymentMade } = verdictOf(end);
  const receipt = await leave(ports, call, end, {
    facts: judged,
    // A tool that fails after a settled payment is a passed transaction: the money moved.
    result: settlement.kind === 'settled' ? 'pass' : 'error',
    nonce: entry.nonce,
    ...(settlement.kind === 'settled' && {
      transaction: settlement.transaction,
      mandateId: entry.mandateId,
      holdId: entry.holdId,
    }),
  });
  const text = code === 'SUCCESS' && gaveNothing(outcome) ? messages.PAID_FOR_NOTHING : messages[code];
  const paidText = paymentMade ? `Paid ${price(judged.demand)}. ${text}` : text;
  return envelope(call, ports.now(), code, paidText, {
    ...detailOf(judged, { ...signedContext(entry), ...receipt }),
    paymentMade,
    paymentResponse: 'response' in settlement ? settlement.response : null,
    downstreamContent: 'content' in outcome ? outcome.content : null,
  });
}

/** The tool did what it promised, as far as we can judge, so the code stays; but its buyer is told at once. */
const gaveNothing = (outcome: CallOutcome): boolean =>
  outcome.kind === 'result' && Array.isArray(outcome.content) && outcome.content.every(isBlank);

const isBlank = (block: { readonly type?: unknown; readonly text?: unknown } | null): boolean =>
  block?.type === 'text' && typeof block.text === 'string' && nothings.has(block.text.trim());

const nothings = new Set(['', '{}', '[]', 'null']);

type Recordable = Omit<Parameters<typeof transactionReport>[2], 'code' | 'chain'> & { readonly facts: Facts };

const rejected = (facts: Facts): Recordable => ({ facts, result: 'reject' });

/**
 * What a priced call leaves behind: its receipt, and its record where there is one to make. Both are on disk before
 * the answer goes out. Gives what the envelope shows of it.
 */
async function leave(
  ports: WatchedPorts,
  call: ToolCall,
  end: End,
  record: Recordable | null,
): Promise<{ readonly receiptId?: string }> {
  const report = record === null ? null : reportOf(ports, call, end, record);
  const receiptId = await inSpan(call.span.child('keep receipt and report', 'internal'), () =>
    seal(ports, call, end, report),
  );
  return receiptId === null ? {} : { receiptId };
}

const reportOf =
  (ports: GatewayPorts, call: ToolCall, end: End, { facts, ...ending }: Recordable) =>
  (receiptHash: string | null): Reported => {
    const { code, paymentMade } = verdictOf(end);
    const about = { ...ending, code, chain: ports.chainName, ...(receiptHash !== null && { receiptHash }) };
    return {
      report: transactionReport(call, facts, about),
      nonce: paymentMade ? (ending.nonce ?? null) : null,
    };
  };
