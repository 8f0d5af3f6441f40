import type { GatewayCode } from '@countersign/protocol/gateway/codes';
import type { EnvelopeDetail, GatewayEnvelope, ServiceFailure } from '@countersign/protocol/gateway/envelope';
import { inSpan } from '@countersign/service/trace';
import { type Asked, showApproval } from './challenge.ts';
import { explainLimits, explainRefusal } from './checks/assurance-result.ts';
import type { Judged } from './checks/judge.ts';
import type { ArgumentFault } from '../downstream/arguments.ts';
import type { NotPaid, Paid } from './pay.ts';
import type { CallOutcome } from '../rules/call-outcome.ts';
import { takenOf } from '../ports/payment-entry.ts';
import type { CallRefusal } from '../ports/services.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import type { WatchedPorts } from '../receipts/evidence.ts';
import { type End, verdictOf } from '../receipts/outcome.ts';
import type { Reported } from '../receipts/receipt.ts';
import { seal } from '../receipts/seal.ts';
import { transactionReport } from './report.ts';
import {
  detailOf,
  envelope,
  messages,
  misleadingMessages,
  paymentContext,
  price,
  signedContext,
  unavailableMessages,
} from './reply.ts';
import type { Facts } from './facts.ts';
import type { ApprovalRefusal } from '../rules/approval.ts';
import type { ApprovalReason } from '../rules/decide.ts';
import type { DemandRefusal } from '../rules/demand.ts';
import { afterDoubt, afterLoss, whatCame } from './words.ts';

/** The call was not sent. */
export function refuseToSend(ports: GatewayPorts, call: ToolCall, refusal: CallRefusal): GatewayEnvelope {
  if (refusal.code === 'DOWNSTREAM_UNAVAILABLE')
    return unpaid(ports, call, { kind: 'unavailable', ...refusal });
  const hint = refusal.code === 'INVALID_ARGUMENTS' ? hintAt(refusal.fault) : '';
  return envelope(call, ports.now(), refusal.code, messages[refusal.code] + hint);
}

function hintAt({ where, kind }: ArgumentFault): string {
  switch (kind) {
    case 'missing':
      return ` ${where} is missing.`;
    case 'unknown':
      return ` ${where} is not one of them.`;
    case 'misfit':
      return where === '' ? '' : ` Look at ${where}.`;
  }
}

/** What the agent brought is not the owner's approval of this call. */
export const refuseApproval = (ports: GatewayPorts, call: ToolCall, code: ApprovalRefusal): GatewayEnvelope =>
  envelope(call, ports.now(), code, messages[code]);

type Unpaid = Exclude<CallOutcome, { kind: 'payment-required' | 'requirement-malformed' }>;

/** The service answered without asking for money, or did not answer. */
export function unpaid(ports: GatewayPorts, call: ToolCall, outcome: Unpaid): GatewayEnvelope {
  const code = unpaidCode(outcome);
  return envelope(call, ports.now(), code, unpaidMessage(outcome, code), {
    ...(isByRight(outcome) && { paymentContext: { payer: ports.wallet.address, signedIn: true } }),
    ...answerOf(outcome),
  });
}

const isByRight = (outcome: Unpaid): boolean => outcome.kind === 'result' && outcome.byRight !== undefined;

function unpaidMessage(outcome: Unpaid, code: GatewayCode): string {
  if (outcome.kind === 'unavailable') return unavailableMessage(outcome.failure);
  if (code === 'SUCCESS' && isByRight(outcome)) return messages.USED_A_RIGHT;
  return code === 'DOWNSTREAM_TOOL_ERROR' ? `${whatCame(outcome)} Nothing was paid.` : messages[code];
}

const unavailableMessage = (failure: ServiceFailure | undefined): string =>
  (failure && unavailableMessages[failure.reason]) ?? messages.DOWNSTREAM_UNAVAILABLE;

/** What the service answered, in its own words. */
function answerOf(outcome: CallOutcome): Partial<EnvelopeDetail> {
  switch (outcome.kind) {
    case 'result': {
      const { content, structured, meta } = outcome;
      return {
        downstreamContent: content,
        ...(structured !== undefined && { downstreamStructuredContent: structured }),
        ...(meta !== undefined && { downstreamMeta: meta }),
      };
    }
    case 'payment-required':
    case 'requirement-malformed':
      return { downstreamContent: outcome.content };
    case 'protocol-error':
      return outcome.error === undefined ? {} : { downstreamError: outcome.error };
    case 'unavailable':
      return outcome.failure === undefined ? {} : { downstreamFailure: outcome.failure };
    case 'timeout':
      return {};
  }
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
  { content, why }: Extract<CallOutcome, { kind: 'requirement-malformed' }>,
): Promise<GatewayEnvelope> {
  const code = 'PAYMENT_REQUIREMENT_INVALID';
  const receipt = await leave(ports, call, { kind: 'unreadable' }, null);
  const message = why === undefined ? messages[code] : misleadingMessages[why];
  return envelope(call, ports.now(), code, message, {
    paymentContext: { payer: ports.wallet.address, ...receipt },
    downstreamContent: content,
  });
}

/** The price itself is refused; nobody was looked up, so there is no record to make. */
export async function refuseDemand(
  ports: WatchedPorts,
  call: ToolCall,
  refusal: DemandRefusal,
): Promise<GatewayEnvelope> {
  const { code, why, requirement, demand } = refusal;
  const receipt = await leave(ports, call, { kind: 'demand-refused', refusal }, null);
  const payer = ports.wallet.address;
  const told = demand === undefined ? { ...requirement, payer } : paymentContext(demand, payer);
  return envelope(call, ports.now(), code, `${messages[code]} Reason: ${why}.`, {
    paymentContext: { ...told, ...receipt },
  });
}

/** A check refused the payment. */
export async function refuse(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  { code, why }: { readonly code: GatewayCode; readonly why: string | null },
): Promise<GatewayEnvelope> {
  // Without a dashboard there is nobody to report to, and nothing to report: the refusal is our own configuration.
  const told = { reason: judged.mandateReason, why: why ?? undefined };
  const record = code === 'COMPLIANCE_NOT_CONFIGURED' ? null : rejected(judged, told);
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
  const told = { reason: payment.reason, ...(isPolicy && { why: payment.why }) };
  const receipt = await leave(ports, call, { kind: 'decided', judged, payment }, rejected(ended, told));
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

/** Whoever called has left before a price was known: nothing was bought, so there is no record to make. */
export const cancelledUnpriced = (ports: GatewayPorts, call: ToolCall): GatewayEnvelope =>
  envelope(call, ports.now(), 'CANCELLED', messages.CANCELLED);

/** Whoever called has left before the payment was sent. */
export async function cancelled(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
): Promise<GatewayEnvelope> {
  const end: End = { kind: 'decided', judged, payment: { kind: 'cancelled' } };
  const receipt = await leave(ports, call, end, rejected(judged));
  return envelope(call, ports.now(), 'CANCELLED', messages.CANCELLED, detailOf(judged, receipt));
}

/** Why the owner was asked, what came of the payment before that, and what they have said so far. */
type Question = {
  readonly reason: ApprovalReason;
  readonly payment: NotPaid | null;
  readonly asked: Asked;
};

/** The decision returns to the owner: not a rejection, unless they reject it (gateway.challenge.approval). */
export async function challenge(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  { reason, payment, asked }: Question,
): Promise<GatewayEnvelope> {
  const limit = payment?.kind === 'over-limit' ? (payment.reason ?? reason) : reason;
  const why = explainLimits(reason, asked.asked.reasons ?? [limit]);
  const limited = {
    ...judged,
    assurance: { ...explainRefusal(judged.assurance, reason), errorMessage: why },
  };
  const isRejected = asked.word.kind === 'rejected';
  const stopped = judged.decision.kind === 'ask-owner' ? null : payment;
  const end: End = { kind: 'decided', judged, payment: isRejected ? { kind: 'owner-rejected' } : stopped };
  const { approvalId } = asked.asked.message;
  const told = { approvalId, ...(!isRejected && { reason: limit }) };
  const receipt = await leave(ports, call, end, rejected(limited, told));
  const { code, approval, text } = await tellAgent(ports, call, asked);
  const message = isRejected ? text : `${price(judged.demand)}: ${why} ${text}`;
  return envelope(call, ports.now(), code, message, detailOf(limited, { approval, ...receipt }));
}

/** The agent names an approval that the owner has not given, or has refused. */
export async function notApproved(
  ports: GatewayPorts,
  call: ToolCall,
  asked: Asked,
): Promise<GatewayEnvelope> {
  const { payer, payTo, asset, amount } = asked.asked.message;
  const { code, approval, text } = await tellAgent(ports, call, asked);
  return envelope(call, ports.now(), code, text, {
    paymentContext: { payer, payTo, asset, amount, approval },
  });
}

/** A rejection ends its question once it is told: the owner may change their mind, and the same call asks anew. */
async function tellAgent(ports: GatewayPorts, call: ToolCall, { asked, word }: Asked) {
  if (word.kind === 'rejected') await ports.state.endQuestion(asked.message.approvalId);
  const approval = await showApproval(ports, call, asked, word);
  const code = word.kind === 'rejected' ? 'APPROVAL_REJECTED' : 'WALLET_APPROVAL_REQUIRED';
  return {
    code,
    approval,
    text: word.kind === 'approved' ? messages.OWNER_HAS_APPROVED : messages[code],
  } as const;
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
    approvalId: approvalOf(entry),
    ...(paid.merchantReceipt !== null && { merchantReceipt: paid.merchantReceipt.kind }),
    ...(settlement.kind === 'settled' && {
      transaction: settlement.transaction,
      amount: takenOf(entry, settlement.moved),
      mandateId: entry.mandateId,
      holdId: entry.holdId,
    }),
  });
  return envelope(call, ports.now(), code, paidText(call, judged, paid, code), {
    ...detailOf(judged, {
      ...signedContext(entry),
      ...(settlement.kind === 'settled' &&
        settlement.moved !== undefined && { amountTaken: takenOf(entry, settlement.moved) }),
      ...(paid.merchantReceipt !== null && { merchantReceipt: paid.merchantReceipt }),
      ...receipt,
    }),
    paymentMade,
    paymentResponse: 'response' in settlement ? settlement.response : null,
    ...answerOf(outcome),
  });
}

/** Of the payment itself: where it is sent again, the call may bring no approval, or one that is used up. */
function approvalOf({ ifSettled }: Paid['entry']): string | undefined {
  const approvalId = ifSettled.metadata?.['approvalId'];
  return typeof approvalId === 'string' ? approvalId : undefined;
}

/** Says whether money moved, what came for it, and whether to call again. */
function paidText(
  call: ToolCall,
  { demand }: Judged,
  { settlement, outcome, entry }: Paid,
  code: GatewayCode,
): string {
  if (settlement.kind !== 'settled') {
    const came = settlement.kind === 'unknown' ? `${whatCame(outcome)} ` : '';
    return `${came}${messages[code]} ${afterDoubt(call, entry)}`;
  }
  const paid = `Paid ${taken(demand, entry, settlement.moved)}.`;
  if (code !== 'SUCCESS') return `${paid} ${whatCame(outcome)} ${afterLoss(call)}`;
  return `${paid} ${gaveNothing(outcome) ? messages.PAID_FOR_NOTHING : messages.SUCCESS}`;
}

/** What was taken and, where that could have been more, of how much. */
const taken = (demand: Judged['demand'], entry: Paid['entry'], moved: string | undefined): string =>
  moved === undefined
    ? price(demand)
    : `${takenOf(entry, moved)} ${demand.token.symbol}, of at most ${price(demand)}`;

/** The tool did what it promised, as far as we can judge, so the code stays; but its buyer is told at once. */
const gaveNothing = (outcome: CallOutcome): boolean =>
  outcome.kind === 'result' &&
  Array.isArray(outcome.content) &&
  outcome.content.every(isBlank) &&
  nothings.has(JSON.stringify(outcome.structured ?? {}));

const isBlank = (block: { readonly type?: unknown; readonly text?: unknown } | null): boolean =>
  block?.type === 'text' && typeof block.text === 'string' && nothings.has(block.text.trim());

const nothings = new Set(['', '{}', '[]', 'null']);

type Recordable = Omit<Parameters<typeof transactionReport>[2], 'code' | 'chain'> & { readonly facts: Facts };

type Told = Pick<Recordable, 'reason' | 'why' | 'approvalId'>;

const rejected = (judged: Judged, told: Told = {}): Recordable => ({
  facts: judged,
  result: 'reject',
  // Consumes nothing: it says which mandate the refusal is about.
  mandateId: judged.assurance.mandateId ?? null,
  ...approvedBy(judged),
  ...told,
});

const approvedBy = ({ approval, approved }: Judged): Told =>
  approved && approval !== null ? { approvalId: approval.message.approvalId } : {};

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
    // Whoever decides about an unknown payee has to know whom the call went to.
    const serviceHost = code === 'PAYEE_KYC_NOT_APPROVED' ? ports.services.hostOf(call) : null;
    const about = {
      ...ending,
      code,
      chain: ports.chainName,
      ...(receiptHash !== null && { receiptHash }),
      ...(serviceHost !== null && { serviceHost }),
    };
    return {
      report: transactionReport(call, facts, about),
      nonce: paymentMade ? (ending.nonce ?? null) : null,
    };
  };
