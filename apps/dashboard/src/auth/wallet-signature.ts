import { recoverSigner } from '@countersign/service/ethereum/signature';
import type { Account } from '../accounts/account.ts';
import type { ContractSigned } from './contract-signed.ts';

/** Why the wallet of this account has not signed this 32-byte hash, in words to show; null when it has. Never throws. */
export type WhyNotSigned = (owner: Account, hash: Uint8Array, signature: string) => Promise<string | null>;

/** Judges signatures of keys, and, where there is a node to ask, the word of wallets that are contracts. */
export const signatureJudge =
  (contractSigned: ContractSigned | null): WhyNotSigned =>
  async ({ walletAddress, publicKey }, hash, signature) => {
    if (recoverSigner(hash, signature)?.address === walletAddress) return null;
    const why = 'the signature is not of the wallet of this account';
    // Whoever has logged in with a key is no contract, and so no node is asked.
    if (publicKey !== null) return why;
    if (contractSigned === null) return `${why} (one that is a contract needs EVM_RPC_URL)`;
    return (await contractSigned(walletAddress, hash, signature)) ? null : why;
  };
