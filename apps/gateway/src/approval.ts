import { recoverSigner } from '@countersign/service/ethereum/signature';
import { hashArguments } from './payment.ts';
import type { GatewayPorts, ToolCall } from './ports.ts';
import {
  type ApprovalRefusal,
  hashApproval,
  readApprovalClaim,
  type StoredApproval,
  whyNotUsable,
} from './rules/approval.ts';

/** What the call's `paymentPayload` came to. */
export type OwnersWord =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly code: ApprovalRefusal }
  | { readonly kind: 'approved'; readonly approval: StoredApproval };

/** Reads the owner's approval of this very call, before anything is sent. The price is compared later, when it is known. */
export async function hearOwner(ports: GatewayPorts, call: ToolCall): Promise<OwnersWord> {
  if (call.paymentPayload === undefined) return { kind: 'none' };
  const claim = readApprovalClaim(call.paymentPayload);
  if (claim === null) return refused('PAYMENT_PAYLOAD_INVALID');
  const stored = await ports.state.findApproval(claim.approvalId);
  const { serviceId, toolName } = call;
  const why = whyNotUsable(stored, { serviceId, toolName, argumentsHash: hashArguments(call) }, ports.now());
  if (why !== null || stored === null) return refused(why ?? 'PAYMENT_PAYLOAD_INVALID');
  const signature = claim.signature ?? (await ports.approvals.signatureOf(claim.approvalId, call.span));
  if (signature === null || !(await isOwners(ports, stored, signature)))
    return refused('PAYMENT_PAYLOAD_INVALID');
  return { kind: 'approved', approval: stored };
}

const refused = (code: ApprovalRefusal): OwnersWord => ({ kind: 'refused', code });

/** The owner is the payer's own wallet; the operator of the gateway may name further approvers, contract wallets too. */
async function isOwners(ports: GatewayPorts, stored: StoredApproval, signature: string): Promise<boolean> {
  const mayApprove = [ports.wallet.address, ...ports.approvers];
  const hash = hashApproval(stored);
  const signer = recoverSigner(hash, signature)?.address;
  if (signer !== undefined && mayApprove.includes(signer)) return true;
  // A contract says itself whether it signed (ERC-1271, ERC-6492): only the chain can be asked.
  const { chain } = ports;
  if (chain === null) return false;
  const answers = await Promise.all(
    ports.approvers.map((approver) => chain.signedByContract(approver, hash, signature)),
  );
  return answers.includes(true);
}
