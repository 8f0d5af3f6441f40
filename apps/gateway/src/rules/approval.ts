import type { Address } from '@countersign/protocol/address';
import {
  type PaymentMandateMessage,
  paymentMandateDomain,
  paymentMandateTypes,
} from '@countersign/protocol/gateway/payment-mandate';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { z } from 'zod';
import type { Demand } from './demand.ts';
import type { TransferMethod } from './transfer-method.ts';

/** A challenge that was given out, as the gateway remembers it. `usedAt` is Unix ms. */
export type StoredApproval = {
  readonly message: PaymentMandateMessage;
  readonly chainId: number;
  /** Who was given the challenge; null where agents have no names. */
  readonly agent: string | null;
  readonly usedAt: number | null;
  /** The hash of what is asked about: who asks, for which call, at which price. Of one question one approval stands. */
  readonly question?: string | undefined;
  /** The rule that gave the payment to the owner. */
  readonly reason?: string | undefined;
  /** Every rule that the payment exceeds, as the owner was told. Absent in approvals of before. */
  readonly reasons?: readonly string[] | undefined;
};

const claim = z.object({
  approvalId: z.string().min(1).max(128),
  signature: z
    .string()
    .max(16_384)
    .nullish()
    .transform((signature) => signature ?? undefined),
});

/**
 * The claim in `paymentPayload`; null if it is malformed. Without a signature, the dashboard is asked for it.
 */
export type ApprovalClaim = z.infer<typeof claim>;

export function readApprovalClaim(paymentPayload: unknown): ApprovalClaim | null {
  const parsed = claim.safeParse(paymentPayload);
  return parsed.success ? parsed.data : null;
}

export type ApprovalRefusal = 'PAYMENT_PAYLOAD_INVALID' | 'APPROVAL_EXPIRED' | 'APPROVAL_ALREADY_USED';

/** The members by which a call is recognized as the approved one. */
type ApprovedCall = Pick<PaymentMandateMessage, 'serviceId' | 'toolName' | 'argumentsHash'> &
  Pick<StoredApproval, 'agent'>;

/** Why a stored approval does not serve this call, or null. Its signature and its price are judged elsewhere. */
export function whyNotUsable(
  stored: StoredApproval | null,
  call: ApprovedCall,
  now: number,
): ApprovalRefusal | null {
  if (stored === null) return 'PAYMENT_PAYLOAD_INVALID';
  const { message, agent, usedAt } = stored;
  const sameCall =
    agent === call.agent &&
    message.serviceId === call.serviceId &&
    message.toolName === call.toolName &&
    message.argumentsHash === call.argumentsHash;
  if (!sameCall) return 'PAYMENT_PAYLOAD_INVALID';
  if (usedAt !== null) return 'APPROVAL_ALREADY_USED';
  return Date.parse(message.expiresAt) > now ? null : 'APPROVAL_EXPIRED';
}

/**
 * Returns how the money moves, as the end of an approval's id, which the owner signs: nothing for EIP-3009, `_permit2`, or `_upto_` and the
 * facilitator that says how much of the maximum is taken.
 */
export const methodInId = (by: TransferMethod): string =>
  by.kind === 'eip3009' ? '' : by.kind === 'permit2' ? '_permit2' : `_upto_${by.facilitator}`;

const methodAtEnd = /_permit2$|_upto_0x[0-9a-fA-F]{40}$/;

/** Returns whether the owner approved this payment: the same payee, asset, chain and amount, by the same method. */
export function approvesPayment(
  { message, chainId }: StoredApproval,
  payer: Address,
  demand: Demand,
): boolean {
  return (
    message.payer === payer &&
    message.payTo === demand.payTo &&
    message.asset === demand.token.address &&
    message.amount === demand.units.toString() &&
    chainId === demand.chainId &&
    (methodAtEnd.exec(message.approvalId)?.[0] ?? '') === methodInId(demand.by)
  );
}

const hash = typedDataHasher('PaymentMandate', paymentMandateTypes.PaymentMandate);

/** The hash that the owner signs (EIP-712). */
export const hashApproval = ({ message, chainId }: StoredApproval): Uint8Array =>
  hash(paymentMandateDomain(chainId), message);
