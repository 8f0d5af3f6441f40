import type { Address } from '@countersign/protocol/address';
import { recoverSigner } from './signature.ts';

/** Whether a wallet that is a contract signed this 32-byte hash. No answer is a no; never throws. */
export type ContractSigned = (wallet: Address, hash: Uint8Array, signature: string) => Promise<boolean>;

/** A wallet that signed: by its key, or (`publicKey` null) by the word of its contract. */
export type Signer = { readonly address: Address; readonly publicKey: string | null };

/**
 * Which of these wallets signed a 32-byte hash; null when none did. The one judge of owners' signatures, at login, over
 * mandates and over approvals, so that what one process takes no other refuses. A key has one form of signature (65
 * bytes, v 27 or 28, low s); contracts (ERC-1271, ERC-6492) are asked where there is somebody to ask.
 */
export async function findSigner(
  wallets: readonly Address[],
  hash: Uint8Array,
  signature: string,
  contractSigned: ContractSigned | null,
): Promise<Signer | null> {
  const signer = recoverSigner(hash, signature);
  if (signer !== null && wallets.includes(signer.address)) return signer;
  if (contractSigned === null) return null;
  const answers = await Promise.all(wallets.map((wallet) => contractSigned(wallet, hash, signature)));
  const address = wallets[answers.indexOf(true)];
  return address === undefined ? null : { address, publicKey: null };
}
