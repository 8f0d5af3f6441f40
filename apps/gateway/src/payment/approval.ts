import { type ContractSigned, findSigner, type Signer } from '@countersign/service/ethereum/wallet-signature';
import type { Address } from '@countersign/protocol/address';
import { hashArguments } from './payment.ts';
import type { Asked } from './challenge.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { InboxWord } from '../ports/dashboard.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { waitForOwner } from './wait-for-owner.ts';
import {
  type ApprovalClaim,
  type ApprovalRefusal,
  hashApproval,
  readApprovalClaim,
  type StoredApproval,
  whyNotUsable,
} from '../rules/approval.ts';

/** An approval, and how it was seen to be the owner's: a receipt keeps both. */
export type HeardApproval = {
  readonly approval: StoredApproval;
  readonly signature: string;
  /** The contract wallet that says it signed; null when a key did. */
  readonly contract: Address | null;
  /** Unix ms, at which it was still good. */
  readonly heardAt: number;
};

/** What the call's `paymentPayload` came to. */
export type OwnersWord =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly code: ApprovalRefusal }
  /** By its id, before the owner has said yes: pending, or rejected. */
  | { readonly kind: 'not-approved'; readonly asked: Asked }
  | { readonly kind: 'approved'; readonly heard: HeardApproval };

/** Reads the owner's approval of this very call, before anything is sent. The price is compared later, when it is known. */
export async function hearOwner(ports: GatewayPorts, call: ToolCall): Promise<OwnersWord> {
  if (call.paymentPayload === undefined) return { kind: 'none' };
  const claim = readApprovalClaim(call.paymentPayload);
  if (claim === null) return refused('PAYMENT_PAYLOAD_INVALID');
  const stored = await ports.state.findApproval(claim.approvalId);
  const { serviceId, toolName, agent } = call;
  const heardAt = ports.now();
  const approved = { serviceId, toolName, argumentsHash: hashArguments(call), agent };
  const why = whyNotUsable(stored, approved, heardAt);
  if (why !== null || stored === null) return refused(why ?? 'PAYMENT_PAYLOAD_INVALID');
  const word = await wordOn(ports, call, claim);
  if (word.kind === 'expired') return refused('APPROVAL_EXPIRED');
  if (word.kind === 'used') return refused('APPROVAL_ALREADY_USED');
  if (word.kind !== 'approved') return { kind: 'not-approved', asked: { asked: stored, word } };
  const { signature } = word;
  const signer = await approverOf(ports, stored, signature);
  if (signer === null) return refused('PAYMENT_PAYLOAD_INVALID');
  const contract = signer.publicKey === null ? signer.address : null;
  return { kind: 'approved', heard: { approval: stored, signature, contract, heardAt } };
}

/** A signature speaks for itself. Without one the inbox is asked, and waited for as long as the agent wants to. */
async function wordOn(ports: GatewayPorts, call: ToolCall, claim: ApprovalClaim): Promise<InboxWord> {
  const { approvalId, signature } = claim;
  if (signature !== undefined) return { kind: 'approved', signature };
  const word = await ports.approvals.wordOf(approvalId, call.span);
  return call.dryRun === true ? word : waitForOwner(ports, call, approvalId, word);
}

const refused = (code: ApprovalRefusal): OwnersWord => ({ kind: 'refused', code });

/**
 * Who of those that may approve has signed: the owner, which is the payer's own wallet unless that is an agent's; and the
 * operator of the gateway may name further approvers. Null when none of them did. For what is known to be a key no node
 * can speak.
 */
function approverOf(
  { chain, approvers, owner, wallet }: GatewayPorts,
  stored: StoredApproval,
  signature: string,
): Promise<Signer | null> {
  const mayApprove = [owner?.address ?? wallet.address, ...approvers];
  const contractSigned = chain?.signedByContract(stored.chainId) ?? null;
  const isKey = (address: Address): boolean =>
    address === wallet.address || (address === owner?.address && owner.isKey());
  const asked: ContractSigned | null =
    contractSigned === null
      ? null
      : async (address, ...signed) => !isKey(address) && contractSigned(address, ...signed);
  return findSigner(mayApprove, hashApproval(stored), signature, asked);
}
