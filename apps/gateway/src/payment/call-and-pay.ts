import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { type HeardApproval, hearOwner } from './approval.ts';
import { type AskedBecause, askOwner } from './challenge.ts';
import { type Judged, judge } from './checks/judge.ts';
import { resume } from './checks/resume.ts';
import { asDryRun, foretell, powerless } from './dry-run.ts';
import {
  answerPaid,
  cancelled,
  cancelledUnpriced,
  challenge,
  notApproved,
  refuse,
  refuseApproval,
  refuseAtHold,
  refuseDemand,
  refuseToSend,
  refuseUnreadable,
  refuseUsedApproval,
  unpaid,
} from './endings.ts';
import { hashCall, keyOf } from './payment.ts';
import { earlierPayment, type GivenUp, type NotPaid, type Paid, pay, whatElse } from './pay.ts';
import type { DemandOutcome } from '../rules/call-outcome.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { watch, type WatchedPorts } from '../receipts/evidence.ts';
import { envelope, messages } from './reply.ts';
import type { ApprovalRefusal } from '../rules/approval.ts';
import type { ApprovalReason, Decision } from '../rules/decide.ts';
import { waitForOwner } from './wait-for-owner.ts';

/**
 * One `call_service_tool` call: try unpaid, read the price, check both parties and the mandate, decide, pay,
 * report. Every refusal is an envelope, never an exception. Fail-close needs no branch here: without a
 * dashboard, `ports.compliance` is the adapter that refuses everyone.
 */
export function callAndPay(ports: GatewayPorts, call: ToolCall): Promise<GatewayEnvelope> {
  if (call.dryRun === true) return rehearse(powerless(ports), call).then(asDryRun);
  return ports.calls.run(call, (joined) => runCall(ports, joined));
}

/** What the same idempotency key and call have come to already, else what they would come to. */
async function rehearse(ports: GatewayPorts, call: ToolCall): Promise<GatewayEnvelope> {
  const key = keyOf(call);
  const known = key === null ? 'new' : await ports.state.recall(key, hashCall(call));
  if (known === 'new') return runCall(ports, call);
  if (known !== 'conflict') return known;
  return envelope(call, ports.now(), 'IDEMPOTENCY_CONFLICT', messages.IDEMPOTENCY_CONFLICT);
}

/** Free tools, and tools that fail before asking for money, end here. All other ends leave a receipt. */
async function runCall(ports: GatewayPorts, asked: ToolCall): Promise<GatewayEnvelope> {
  const call = { ...asked, wasPaid: async () => (await earlierPayment(ports, asked)) !== null };
  const refusal = await ports.services.check(call);
  if (refusal !== null) return refuseToSend(ports, call, refusal);
  const word = await hearOwner(ports, call);
  if (word.kind === 'refused' && !(await wasUsedHere(ports, call, word.code)))
    return refuseApproval(ports, call, word.code);
  if (word.kind === 'not-approved') return notApproved(ports, call, word.asked);
  const first = await ports.services.call(call);
  if (first.kind === 'timeout' && call.signal.aborted) return cancelledUnpriced(ports, call);
  if (first.kind !== 'payment-required' && first.kind !== 'requirement-malformed')
    return unpaid(ports, call, first);
  if (call.asPriced !== undefined) return call.asPriced(call);
  const heard = word.kind === 'approved' ? word.heard : null;
  return runPricedCall(watch(ports, first, heard), call, first, heard);
}

/** By a payment of this very call: that one is sent again, whatever its approval is good for by now. */
const wasUsedHere = async (ports: GatewayPorts, call: ToolCall, code: ApprovalRefusal): Promise<boolean> =>
  code === 'APPROVAL_ALREADY_USED' && (await earlierPayment(ports, call)) !== null;

async function runPricedCall(
  ports: WatchedPorts,
  call: ToolCall,
  asked: DemandOutcome,
  heard: HeardApproval | null,
): Promise<GatewayEnvelope> {
  if (asked.kind === 'requirement-malformed') return refuseUnreadable(ports, call, asked);
  const approval = heard?.approval ?? null;
  const judged = resume(
    await judge(ports, call, asked.requirement, approval, ports.now()),
    await earlierPayment(ports, call),
  );
  if (!judged.ok) return refuseDemand(ports, call, judged.error);
  if (call.dryRun === true) return foretell(ports, call, judged.value);
  if (call.signal.aborted) return cancelled(ports, call, judged.value);
  const { decision } = judged.value;
  switch (decision.kind) {
    case 'refuse':
      return refuse(ports, call, judged.value, decision);
    case 'ask-owner':
      return askWhole(ports, call, judged.value, decision.reason);
    case 'pay':
      return payOnce(ports, call, judged.value, decision);
  }
}

/** What the same call has paid for and not been told is not paid for again. */
async function payOnce(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  decision: Extract<Decision, { kind: 'pay' }>,
): Promise<GatewayEnvelope> {
  const offered = await call.fetchOffered?.(call);
  if (offered) return offered;
  const approval = judged.approved ? judged.approval : null;
  return answerPayment(ports, call, judged, await pay(ports, call, judged, decision, approval));
}

/** A limit is exceeded already: what else the owner's policy says is asked first, so that they decide about all of it. */
async function askWhole(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  reason: ApprovalReason,
): Promise<GatewayEnvelope> {
  const { aside, noteHold } = ports.evidence;
  const payment = await whatElse({ ...ports, ...aside }, call, judged);
  if (call.signal.aborted) return cancelled(ports, call, judged);
  if (payment?.kind !== 'refused') return consult(ports, call, judged, reason, payment);
  noteHold(payment);
  return refuseAtHold(ports, call, judged, payment);
}

/** Asks the owner. Where the agent waits, and they approve meanwhile, the call is made again with what they signed. */
async function consult(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  reason: ApprovalReason,
  payment: NotPaid | null = null,
): Promise<GatewayEnvelope> {
  const { asked, word: first } = await askOwner(ports, call, judged, because(judged, reason, payment));
  const { approvalId } = asked.message;
  const word = await waitForOwner(ports, call, approvalId, first);
  if (call.signal.aborted) return cancelled(ports, call, judged);
  if (word.kind === 'approved' && (call.waitSeconds ?? 0) > 0)
    return runCall(ports, { ...call, waitSeconds: 0, paymentPayload: { approvalId } });
  return challenge(ports, call, judged, { reason, payment, asked: { asked, word } });
}

/** All that stands in the way: what was decided here, and what the dashboard has told. */
function because({ decision }: Judged, reason: ApprovalReason, payment: NotPaid | null): AskedBecause {
  const over = payment?.kind === 'over-limit' ? payment : null;
  const first = over?.reason === 'NEW_PAYEE' ? over.reason : reason;
  const here = decision.kind === 'ask-owner' ? [decision.reason] : [];
  return { reason: first, reasons: [...new Set([...(over?.exceeded ?? [first]), ...here])] };
}

/** Between decision and signature the budget, the mandate or the approval may have gone. */
function answerPayment(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  paid: Paid | NotPaid | GivenUp,
): Promise<GatewayEnvelope> {
  switch (paid.kind) {
    case 'given-up':
      return runCall(ports, call);
    case 'over-limit':
      return consult(ports, call, judged, paid.code, paid);
    case 'refused':
      return refuseAtHold(ports, call, judged, paid);
    case 'approval-used':
      return refuseUsedApproval(ports, call, judged, paid);
    case 'cancelled':
      return cancelled(ports, call, judged);
    case 'paid':
      return answerPaid(ports, call, judged, paid);
  }
}
