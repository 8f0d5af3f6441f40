import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { type HeardApproval, hearOwner } from './approval.ts';
import { type Judged, judge } from './checks/judge.ts';
import { asDryRun, foretell, powerless } from './dry-run.ts';
import {
  answerPaid,
  challenge,
  refuse,
  refuseApproval,
  refuseAtHold,
  refuseDemand,
  refuseToSend,
  refuseUnreadable,
  refuseUsedApproval,
  unpaid,
} from './endings.ts';
import { hashCall, keyOf, nameCall } from './payment.ts';
import { type NotPaid, type Paid, pay } from './pay.ts';
import type { DemandOutcome, GatewayPorts, ToolCall } from './ports.ts';
import { watch, type WatchedPorts } from './receipts/evidence.ts';
import { envelope, messages } from './reply.ts';

/**
 * One `call_service_tool` call: try unpaid, read the price, check both parties and the mandate, decide, pay,
 * report. Every refusal is an envelope, never an exception. Fail-close needs no branch here: without a
 * dashboard, `ports.compliance` is the adapter that refuses everyone.
 */
export async function callServiceTool(ports: GatewayPorts, call: ToolCall): Promise<GatewayEnvelope> {
  if (call.dryRun === true) return asDryRun(await answerOnce(powerless(ports), call));
  return answerOnce(ports, call);
}

/** The same idempotency key and call again give the same answer, once it was paid for. */
async function answerOnce(ports: GatewayPorts, call: ToolCall): Promise<GatewayEnvelope> {
  const key = keyOf(call);
  if (key === null) return runCall(ports, call);
  const callHash = hashCall(call);
  const known = await ports.state.recall(key, callHash);
  if (known === 'conflict' || (known === 'new' && (await paysForAnother(ports, call, callHash))))
    return envelope(call, ports.now(), 'IDEMPOTENCY_CONFLICT', messages.IDEMPOTENCY_CONFLICT);
  if (known !== 'new') return known;
  const answer = await runCall(ports, call);
  // Only what was paid for is final: after a refusal the same key may try again.
  if (answer.detail.paymentMade) await ports.state.remember(key, callHash, answer);
  return answer;
}

/** A payment that has left is not final, but its key is taken. */
async function paysForAnother(ports: GatewayPorts, call: ToolCall, callHash: string): Promise<boolean> {
  const callKey = nameCall(call);
  const payment = callKey === null ? null : await ports.state.paymentOf(callKey);
  return payment !== null && payment.callHash !== callHash;
}

/** Free tools, and tools that fail before asking for money, end here. All other ends leave a receipt. */
async function runCall(ports: GatewayPorts, call: ToolCall): Promise<GatewayEnvelope> {
  const refusal = await ports.services.check(call);
  if (refusal !== null) return refuseToSend(ports, call, refusal);
  const word = await hearOwner(ports, call);
  if (word.kind === 'refused') return refuseApproval(ports, call, word.code);
  const first = await ports.services.call(call);
  if (first.kind !== 'payment-required' && first.kind !== 'requirement-malformed')
    return unpaid(ports, call, first);
  const heard = word.kind === 'approved' ? word.heard : null;
  return runPricedCall(watch(ports, first, heard), call, first, heard);
}

async function runPricedCall(
  ports: WatchedPorts,
  call: ToolCall,
  asked: DemandOutcome,
  heard: HeardApproval | null,
): Promise<GatewayEnvelope> {
  if (asked.kind === 'requirement-malformed') return refuseUnreadable(ports, call, asked);
  const approval = heard?.approval ?? null;
  const judged = await judge(ports, call, asked.requirement, approval, ports.now());
  if (!judged.ok) return refuseDemand(ports, call, judged.error);
  if (call.dryRun === true) return foretell(ports, call, judged.value);
  const { decision, approved } = judged.value;
  switch (decision.kind) {
    case 'refuse':
      return refuse(ports, call, judged.value, decision);
    case 'ask-owner':
      return challenge(ports, call, judged.value, decision.reason);
    case 'pay': {
      const paid = await pay(ports, call, judged.value, decision, approved ? approval : null);
      return answerPayment(ports, call, judged.value, paid);
    }
  }
}

/** Between decision and signature the budget, the mandate or the approval may have gone. */
function answerPayment(
  ports: WatchedPorts,
  call: ToolCall,
  judged: Judged,
  paid: Paid | NotPaid,
): Promise<GatewayEnvelope> {
  switch (paid.kind) {
    case 'over-limit':
      return challenge(ports, call, judged, paid.code, paid);
    case 'refused':
      return refuseAtHold(ports, call, judged, paid);
    case 'approval-used':
      return refuseUsedApproval(ports, call, judged, paid);
    case 'paid':
      return answerPaid(ports, call, judged, paid);
  }
}
