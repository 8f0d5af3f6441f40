import type { Address } from '@countersign/protocol/address';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { hearOwner } from './approval.ts';
import { checkAssurance } from './checks/assurance.ts';
import { checkCompliance } from './checks/compliance.ts';
import {
  answerPaid,
  challenge,
  refuse,
  refuseApproval,
  refuseAtHold,
  refuseDemand,
  refuseToSend,
  unpaid,
} from './endings.ts';
import { hashCall } from './payment.ts';
import { type NotPaid, type Paid, pay } from './pay.ts';
import type { GatewayPorts, ToolCall } from './ports.ts';
import { envelope, type Facts, messages } from './reply.ts';
import { approvesPayment } from './rules/approval.ts';
import { decidePayment } from './rules/decide.ts';
import { type Demand, readDemand } from './rules/demand.ts';

/**
 * One `call_service_tool` call: try unpaid, read the price, check both parties and the mandate, decide, pay,
 * report. Every refusal is an envelope, never an exception. Fail-close needs no branch here: without a
 * dashboard, `ports.compliance` is the adapter that refuses everyone.
 */
export async function callServiceTool(ports: GatewayPorts, call: ToolCall): Promise<GatewayEnvelope> {
  if (call.idempotencyKey === undefined) return runCall(ports, call);
  const callHash = hashCall(call);
  const known = await ports.state.recall(call.idempotencyKey, callHash);
  if (known === 'conflict')
    return envelope(call, ports.now(), 'IDEMPOTENCY_CONFLICT', messages.IDEMPOTENCY_CONFLICT);
  if (known !== 'new') return known;
  const answer = await runCall(ports, call);
  // Only what was paid for is final: after a refusal the same key may try again.
  if (answer.detail.paymentMade) await ports.state.remember(call.idempotencyKey, callHash, answer);
  return answer;
}

async function runCall(ports: GatewayPorts, call: ToolCall): Promise<GatewayEnvelope> {
  const refusal = await ports.services.check(call);
  if (refusal !== null) return refuseToSend(ports, call, refusal);
  const word = await hearOwner(ports, call);
  if (word.kind === 'refused') return refuseApproval(ports, call, word.code);

  // Free tools, and tools that fail before asking for money, end here.
  const first = await ports.services.call(call);
  if (first.kind !== 'payment-required') return unpaid(ports, call, first);

  // The requirement is judged before anything is looked up.
  const payer = ports.wallet.address;
  const demand = readDemand(first.requirement, payer, ports.policy);
  if (!demand.ok) return refuseDemand(ports, call, demand.error);
  // A price that changed meanwhile is another payment: the owner has not approved that one.
  const approved = word.kind === 'approved' && approvesPayment(word.approval, payer, demand.value);

  const { facts, compliance, assurance } = await check(ports, call, payer, demand.value);
  const decision = decidePayment(compliance, assurance, unmandatedRule(ports, call, demand.value), approved);
  switch (decision.kind) {
    case 'refuse':
      return refuse(ports, call, facts, decision);
    case 'ask-owner':
      return challenge(ports, call, facts, decision.reason);
    case 'pay': {
      const paid = await pay(ports, call, facts, decision, approved ? word.approval : null);
      return answerPayment(ports, call, facts, paid);
    }
  }
}

/** Started together: the agent waits for the slower check, not for their sum. */
async function check(ports: GatewayPorts, call: ToolCall, payer: Address, demand: Demand) {
  call.onProgress('checking both parties and the mandate');
  const [compliance, assurance] = await Promise.all([
    checkCompliance(ports.compliance, call, { payer, payee: demand.payTo }, ports.now),
    checkAssurance(ports.mandates, call, payer, demand, ports.now),
  ]);
  const facts: Facts = { payer, demand, compliance, assurance: assurance.result };
  return { facts, compliance, assurance };
}

/** Between decision and signature the budget, the mandate or the approval may have gone. */
function answerPayment(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  paid: Paid | NotPaid,
): Promise<GatewayEnvelope> {
  switch (paid.kind) {
    case 'over-limit':
      return challenge(ports, call, facts, paid.code);
    case 'refused':
      return refuseAtHold(ports, call, facts, paid.code);
    case 'approval-used':
      return Promise.resolve(refuseApproval(ports, call, 'APPROVAL_ALREADY_USED'));
    case 'paid':
      return answerPaid(ports, call, facts, paid);
  }
}

/** What holds for a service that sends no cart mandate. */
const unmandatedRule = ({ policy }: GatewayPorts, { serviceId }: ToolCall, { amount }: Demand) => ({
  policy: policy.missingCart.byService.get(serviceId) ?? policy.missingCart.otherwise,
  amount,
  cap: policy.maxUnmandatedAmount,
});
