import { formatAmount } from '@countersign/protocol/amount';
import {
  type PaymentMandateMessage,
  paymentMandateTypedData,
} from '@countersign/protocol/gateway/payment-mandate';
import { hashArguments } from './payment.ts';
import type { GatewayPorts, ToolCall } from './ports.ts';
import type { Facts } from './reply.ts';
import type { ApprovalReason } from './rules/decide.ts';

const approvalLifetimeMs = 15 * 60 * 1000;

/** `paymentContext.approval` of a challenge: what the owner is asked to sign, and where. */
export type Approval = {
  readonly approvalId: string;
  readonly reason: ApprovalReason;
  /** ISO 8601; the same text stands in the signed message. */
  readonly expiresAt: string;
  readonly approvalUrl: string | null;
  readonly typedData: ReturnType<typeof paymentMandateTypedData>;
};

/** Gives the payment decision back to the owner (document 1, States and transitions): bound to this very call. */
export async function askOwner(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  reason: ApprovalReason,
): Promise<Approval> {
  const { demand, payer } = facts;
  const approvalId = `apr_${ports.randomId()}`;
  const expiresAt = new Date(ports.now() + approvalLifetimeMs).toISOString();
  const message: PaymentMandateMessage = {
    approvalId,
    serviceId: call.serviceId,
    toolName: call.toolName,
    argumentsHash: hashArguments(call),
    payer,
    payTo: demand.payTo,
    asset: demand.token.address,
    amount: demand.units.toString(),
    expiresAt,
  };
  const { chainId } = demand;
  const typedData = paymentMandateTypedData(message, chainId);
  await ports.state.keepApproval({ message, chainId, agent: call.agent, usedAt: null });
  const { token, amount } = demand;
  const forPeople = { amount: formatAmount(amount), currency: token.symbol, reason };
  await ports.approvals.ask({ ...message, ...forPeople, typedData }, call.span);
  const approvalUrl =
    ports.approvalBaseUrl === null ? null : new URL(`/approvals/${approvalId}`, ports.approvalBaseUrl).href;
  return { approvalId, reason, expiresAt, approvalUrl, typedData };
}
