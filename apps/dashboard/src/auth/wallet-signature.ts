import { type ContractSigned, findSigner } from '@countersign/service/ethereum/wallet-signature';
import type { Account } from '../accounts/account.ts';

/** Why the wallet of this account has not signed this 32-byte hash, in words to show; null when it has. Never throws. */
export type WhyNotSigned = (owner: Account, hash: Uint8Array, signature: string) => Promise<string | null>;

/** Judges signatures of keys, and, where there is a node to ask, the word of wallets that are contracts. */
export const signatureJudge =
  (contractSigned: ContractSigned | null): WhyNotSigned =>
  async ({ walletAddress, publicKey }, hash, signature) => {
    // Whoever has logged in with a key is no contract, and so no node is asked.
    const asked = publicKey === null ? contractSigned : null;
    if ((await findSigner([walletAddress], hash, signature, asked)) !== null) return null;
    const why = 'the signature is not of the wallet of this account';
    return publicKey === null && contractSigned === null
      ? `${why} (one that is a contract needs EVM_RPC_URL)`
      : why;
  };
