import { formatAmount } from '@countersign/protocol/amount';
import { longestArguments } from '@countersign/protocol/dashboard/approvals';
import {
  type PaymentMandateMessage,
  paymentMandateTypedData,
} from '@countersign/protocol/gateway/payment-mandate';
import { canonicalText, sha256 } from './canonical.ts';
import { argumentsText, hashArguments } from './payment.ts';
import type { GatewayPorts, InboxWord, ToolCall } from './ports.ts';
import type { Facts } from './reply.ts';
import type { StoredApproval } from './rules/approval.ts';
import type { ApprovalReason } from './rules/decide.ts';

const approvalLifetimeMs = 15 * 60 * 1000;

/** `paymentContext.approval` of a challenge: what the owner is asked to sign, where, and what they have said so far. */
export type Approval = {
  readonly approvalId: string;
  readonly status: 'pending' | 'approved' | 'rejected';
  /** The owner's own words: data, never a part of `message`. */
  readonly rejectReason?: string | null;
  readonly reason: string;
  /** ISO 8601; the same text stands in the signed message. */
  readonly expiresAt: string;
  readonly approvalUrl: string | null;
  readonly typedData: ReturnType<typeof paymentMandateTypedData>;
};

/** What the owner is asked, and what they have said already. */
export type Asked = { readonly asked: StoredApproval; readonly word: InboxWord };

/**
 * Gives the payment decision back to the owner (gateway.challenge.approval): bound to this very call. The same
 * call at the same price is asked about once, however often it is made.
 */
export async function askOwner(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  reason: ApprovalReason,
  again = false,
): Promise<Asked> {
  const asked = await ports.state.keepApproval(newApproval(ports, call, facts, reason));
  const { demand } = facts;
  const { message } = asked;
  const forPeople = {
    amount: formatAmount(demand.amount),
    currency: demand.token.symbol,
    reason: asked.reason ?? reason,
  };
  const typedData = paymentMandateTypedData(message, asked.chainId);
  const word = await ports.approvals.ask(
    { ...message, ...shownArguments(ports, call), ...forPeople, typedData },
    call.span,
  );
  if (again || (word.kind !== 'expired' && word.kind !== 'used')) return { asked, word };
  // By the dashboard's clock or word it is over: then it can answer nothing any more.
  await ports.state.endQuestion(message.approvalId);
  return askOwner(ports, call, facts, reason, true);
}

/** The owner sees what the hash stands for, unless the operator keeps it here or it is too long. */
function shownArguments(ports: GatewayPorts, call: ToolCall): { readonly arguments?: string } {
  const text = argumentsText(call);
  return ports.sendsArguments && Buffer.byteLength(text) <= longestArguments ? { arguments: text } : {};
}

function newApproval(
  ports: GatewayPorts,
  call: ToolCall,
  { demand, payer }: Facts,
  reason: ApprovalReason,
): StoredApproval {
  const { chainId } = demand;
  const { agent } = call;
  const asked = {
    serviceId: call.serviceId,
    toolName: call.toolName,
    argumentsHash: hashArguments(call),
    payer,
    payTo: demand.payTo,
    asset: demand.token.address,
    amount: demand.units.toString(),
  };
  const message: PaymentMandateMessage = {
    approvalId: `apr_${ports.randomId()}`,
    ...asked,
    expiresAt: new Date(ports.now() + approvalLifetimeMs).toISOString(),
  };
  const question = sha256(canonicalText([agent, chainId, asked]));
  return { message, chainId, agent, usedAt: null, question, reason };
}

/** An approval as the agent is shown it. A dashboard that does not answer has told nothing: it is still open. */
export async function showApproval(
  ports: GatewayPorts,
  call: ToolCall,
  { message, chainId, reason }: StoredApproval,
  word: InboxWord,
): Promise<Approval> {
  const { approvalId, expiresAt } = message;
  const site = await ports.approvals.publicUrl(call.span);
  return {
    approvalId,
    status: word.kind === 'approved' || word.kind === 'rejected' ? word.kind : 'pending',
    ...(word.kind === 'rejected' && { rejectReason: word.reason }),
    reason: reason ?? '',
    expiresAt,
    approvalUrl: site === null ? null : new URL(`/approvals/${approvalId}`, site).href,
    typedData: paymentMandateTypedData(message, chainId),
  };
}
