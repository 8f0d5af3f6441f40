import type { Address } from '@countersign/protocol/address';

/** Whoever has logged in with a wallet. One wallet is one account. */
export type Account = {
  readonly id: string;
  readonly walletAddress: Address;
  /** Uncompressed, `0x04…`; null for a wallet that is a contract. */
  readonly publicKey: string | null;
  readonly createdAt: Date;
  /** Since when another account has recovered this one, which is good for nothing but to be read; null while it is open. */
  readonly closedAt: Date | null;
};

/** The label of the account in credentials. */
export const platformIdOf = (account: Pick<Account, 'id'>): string => `acct_${account.id}`;

/** The account as its owner sees it. */
export const showAccount = (account: Account) => ({
  id: account.id,
  walletAddress: account.walletAddress,
  platformId: platformIdOf(account),
  publicKey: account.publicKey,
  createdAt: account.createdAt.toISOString(),
});
