import { formatAmount } from '@countersign/protocol/amount';
import { maxArguments } from '@countersign/protocol/dashboard/approvals';
import type { ExceededRule } from '@countersign/protocol/dashboard/policy';
import {
  type PaymentMandateMessage,
  paymentMandateTypedData,
} from '@countersign/protocol/gateway/payment-mandate';
import { canonicalText, sha256 } from '../canonical.ts';
import { argumentsText, hashArguments } from './payment.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { InboxWord } from '../ports/dashboard.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Facts } from './facts.ts';
import { methodInId, type StoredApproval } from '../rules/approval.ts';
import type { ApprovalReason } from '../rules/decide.ts';

const approvalLifetimeMs = 15 * 60 * 1000;

/** `paymentContext.approval` of a challenge: what the owner is asked to sign, where, and what they have said so far. */
export type Approval = {
  readonly approvalId: string;
  readonly status: 'pending' | 'approved' | 'rejected';
  /** The owner's own words: data, never a part of `message`. */
  readonly rejectReason?: string | null;
  readonly reason: string;
  /** Every rule that the payment exceeds. */
  readonly reasons?: readonly string[];
  /** ISO 8601; the same text stands in the signed message. */
  readonly expiresAt: string;
  readonly approvalUrl: string | null;
  readonly typedData: ReturnType<typeof paymentMandateTypedData>;
};

/** As the owner reads it: also a rule of theirs that the envelope has no code for. */
export type AskedBecause = {
  readonly reason: ApprovalReason | Extract<ExceededRule, 'NEW_PAYEE'>;
  /** All of them. */
  readonly reasons: readonly (ApprovalReason | ExceededRule)[];
};

/** What the owner is asked, and what they have said already. */
export type Asked = { readonly asked: StoredApproval; readonly word: InboxWord };

/**
 * Gives the payment decision back to the owner (gateway.challenge.approval): bound to this very call. The same
 * call at the same price is asked about once, however often it is made, until it exceeds a rule that the owner was not
 * told of.
 */
export async function askOwner(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  because: AskedBecause,
  again = false,
): Promise<Asked> {
  const asked = await ports.state.keepApproval(newApproval(ports, call, facts, because));
  if (!again && !tellsAll(asked, because)) {
    await ports.state.endQuestion(asked.message.approvalId);
    return askOwner(ports, call, facts, because, true);
  }
  const { demand } = facts;
  const { message } = asked;
  const forPeople = {
    amount: formatAmount(demand.amount),
    currency: demand.token.symbol,
    reason: asked.reason ?? because.reason,
    ...(asked.reasons !== undefined && { reasons: [...asked.reasons] }),
  };
  const typedData = paymentMandateTypedData(message, asked.chainId);
  const word = await ports.approvals.ask(
    { ...message, ...shownArguments(ports, call), ...forPeople, typedData },
    call.span,
  );
  if (again || (word.kind !== 'expired' && word.kind !== 'used')) return { asked, word };
  // By the dashboard's clock or word it is over: then it can answer nothing any more.
  await ports.state.endQuestion(message.approvalId);
  return askOwner(ports, call, facts, because, true);
}

const tellsAll = ({ reason, reasons }: StoredApproval, because: AskedBecause): boolean =>
  because.reasons.every((rule) => (reasons ?? [reason]).includes(rule));

/** The owner sees what the hash stands for, unless the operator keeps it here or it is too long. */
function shownArguments(ports: GatewayPorts, call: ToolCall): { readonly arguments?: string } {
  const text = argumentsText(call);
  return ports.sendsArguments && Buffer.byteLength(text) <= maxArguments ? { arguments: text } : {};
}

function newApproval(
  ports: GatewayPorts,
  call: ToolCall,
  { demand, payer }: Facts,
  { reason, reasons }: AskedBecause,
): StoredApproval {
  const { chainId } = demand;
  const { agent } = call;
  const method = methodInId(demand.by);
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
    approvalId: `apr_${ports.randomId()}${method}`,
    ...asked,
    expiresAt: new Date(ports.now() + approvalLifetimeMs).toISOString(),
  };
  const question = sha256(canonicalText([agent, chainId, asked, ...(method === '' ? [] : [method])]));
  return { message, chainId, agent, usedAt: null, question, reason, reasons };
}

/** An approval as the agent is shown it. A dashboard that does not answer has told nothing: it is still open. */
export async function showApproval(
  ports: GatewayPorts,
  call: ToolCall,
  { message, chainId, reason, reasons }: StoredApproval,
  word: InboxWord,
): Promise<Approval> {
  const { approvalId, expiresAt } = message;
  const site = await ports.approvals.publicUrl(call.span);
  return {
    approvalId,
    status: word.kind === 'approved' || word.kind === 'rejected' ? word.kind : 'pending',
    ...(word.kind === 'rejected' && { rejectReason: word.reason }),
    reason: reason ?? '',
    ...(reasons !== undefined && { reasons }),
    expiresAt,
    approvalUrl: site === null ? null : new URL(`/approvals/${approvalId}`, site).href,
    typedData: paymentMandateTypedData(message, chainId),
  };
}
