import { fail, type Result } from '@countersign/protocol/result';
import { rememberedWallet } from '../session/memory.ts';
import type { WalletProblem } from './problem.ts';
import { requireAccount, requireChain, signTypedData } from './requests.ts';
import { knownWallets, type Wallet } from './wallets.ts';

/** The wallet that this account signed in with, or the only one there is. */
export function walletOfSession(): Wallet | null {
  const wallets = knownWallets();
  const remembered = wallets.find(({ id }) => id === rememberedWallet());
  return remembered ?? (wallets.length === 1 ? (wallets[0] ?? null) : null);
}

export type TypedData = { readonly domain: Readonly<Record<string, unknown>> };

/**
 * The account's signature over typed data, by its own wallet. Account and chain are checked before the wallet asks its
 * user, because wallets explain neither.
 */
export async function signAsAccount(
  address: string,
  typedData: TypedData,
): Promise<Result<string, WalletProblem>> {
  const wallet = walletOfSession();
  if (wallet === null) return fail({ kind: 'no-wallet' });
  const account = await requireAccount(wallet.provider, address);
  if (!account.ok) return account;
  const { chainId } = typedData.domain;
  const chain = chainId === undefined ? account : await requireChain(wallet.provider, Number(chainId));
  if (!chain.ok) return chain;
  return signTypedData(wallet.provider, account.value, typedData);
}
