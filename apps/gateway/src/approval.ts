import { recoverSigner } from '@countersign/service/ethereum/signature';
import type { Address } from '@countersign/protocol/address';
import { hashArguments } from './payment.ts';
import type { GatewayPorts, ToolCall } from './ports.ts';
import {
  type ApprovalRefusal,
  hashApproval,
  readApprovalClaim,
  type StoredApproval,
  whyNotUsable,
} from './rules/approval.ts';

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
  const signature = claim.signature ?? (await ports.approvals.signatureOf(claim.approvalId, call.span));
  const signer = signature === null ? null : await findSigner(ports, stored, signature);
  if (signature === null || signer === null) return refused('PAYMENT_PAYLOAD_INVALID');
  const contract = signer.isContract ? signer.address : null;
  return { kind: 'approved', heard: { approval: stored, signature, contract, heardAt } };
}

const refused = (code: ApprovalRefusal): OwnersWord => ({ kind: 'refused', code });

type Signer = { readonly address: Address; readonly isContract: boolean };

/**
 * Who of those that may approve has signed: the owner is the payer's own wallet, and the operator of the gateway may
 * name further approvers, contract wallets too. Null when none of them did.
 */
async function findSigner(
  { chain, approvers, wallet }: GatewayPorts,
  stored: StoredApproval,
  signature: string,
): Promise<Signer | null> {
  const hash = hashApproval(stored);
  const signer = recoverSigner(hash, signature)?.address;
  if (signer !== undefined && [wallet.address, ...approvers].includes(signer))
    return { address: signer, isContract: false };
  // A contract says itself whether it signed (ERC-1271, ERC-6492): only the chain can be asked.
  if (chain === null) return null;
  const answers = await Promise.all(
    approvers.map((approver) => chain.signedByContract(approver, hash, signature)),
  );
  const address = approvers[answers.indexOf(true)];
  return address === undefined ? null : { address, isContract: true };
}
