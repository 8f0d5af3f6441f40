import { type ContractSigned, findSigner } from '@countersign/service/ethereum/wallet-signature';
import type { Address } from '@countersign/protocol/address';
import type { Pool } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { findAccount } from '../accounts/store.ts';

/** Why the wallet of this account has not signed this 32-byte hash, in words to show; null when it has. Never throws. */
export type WhyNotSigned = (owner: Account, hash: Uint8Array, signature: string) => Promise<string | null>;

/**
 * INVARIANT: a wallet that has logged in with a key (`publicKey`) signs with that key alone, here as at the gateway, whose
 * wallet is a key. Code that it was given since (EIP-7702) is not asked; otherwise whoever talks an owner into delegating
 * to his contract could log in as that owner.
 */
export const askedAbout = (
  publicKey: string | null,
  contractSigned: ContractSigned | null,
): ContractSigned | null => (publicKey === null ? contractSigned : null);

/**
 * How a wallet signed a hash: by its key, whose word counts everywhere, or as a contract on the dashboard's own chain (at the
 * same address on another may be another, with other owners). Null: not at all.
 */
export type SignedAs = 'key' | 'contract' | null;
export type SignedBy = (wallet: Address, hash: Uint8Array, signature: string) => Promise<SignedAs>;

/** The same of any wallet, whether it has an account or not. Never throws for a signature. */
export const walletJudge =
  (pool: Pool, contractSigned: ContractSigned | null): SignedBy =>
  async (wallet, hash, signature) => {
    const account = await findAccount(pool, wallet);
    // Whose account was recovered signs nothing that counts.
    if (account !== null && account.closedAt !== null) return null;
    const asked = askedAbout(account?.publicKey ?? null, contractSigned);
    const signer = await findSigner([wallet], hash, signature, asked);
    return signer === null ? null : signer.publicKey === null ? 'contract' : 'key';
  };

/** Judges signatures of keys, and, where there is a node to ask, the word of wallets that are contracts. */
export const signatureJudge =
  (contractSigned: ContractSigned | null): WhyNotSigned =>
  async ({ walletAddress, publicKey, closedAt }, hash, signature) => {
    if (closedAt !== null)
      return 'the account of this wallet was recovered and is closed: it signs nothing new';
    const asked = askedAbout(publicKey, contractSigned);
    if ((await findSigner([walletAddress], hash, signature, asked)) !== null) return null;
    const why = 'the signature was not made by this account’s wallet';
    return publicKey === null && contractSigned === null
      ? `${why} (one that is a contract needs EVM_RPC_URL)`
      : why;
  };
