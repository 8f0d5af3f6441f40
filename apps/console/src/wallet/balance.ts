import type { Amount } from '@countersign/protocol/decimal';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { AnswerOf } from '../api/endpoint.ts';
import { ask } from '../api/queries.ts';
import { type WalletProblem, walletProblemText } from './problem.ts';
import { readContract, requireChain } from './requests.ts';
import { walletOfSession } from './sign.ts';
import { balanceData, readBalance } from './usdc.ts';
import { subscribeToWallets, type Wallet } from './wallets.ts';

/** The chain and token of payments, as the dashboard states them; null if it has no USDC on its chain. */
export type Settlement = { readonly chainId: number; readonly usdc: `0x${string}` } | null;

export type BalanceProblem = WalletProblem | { readonly kind: 'no-token' };

/** Why a balance is not shown. */
export function balanceProblemText(problem: BalanceProblem): string {
  switch (problem.kind) {
    case 'no-token':
      return 'The dashboard is not configured with USDC on its chain.';
    case 'unsupported':
    case 'failed':
      return 'Your wallet cannot read balances from the chain.';
    case 'rejected':
    case 'busy':
    case 'no-wallet':
    case 'wrong-chain':
    case 'unknown-chain':
    case 'other-account':
      return walletProblemText(problem);
  }
}

const site = ask('GET /api/site', {});

/** Undefined until the dashboard has said it. */
export function useSettlement(): Settlement | undefined {
  const { data } = useQuery(site);
  return data && settlementOf(data);
}

function settlementOf({ chain, usdc }: AnswerOf<'GET /api/site'>): Settlement {
  const chainId = Number(/^eip155:(\d+)$/.exec(chain ?? '')?.[1] ?? Number.NaN);
  return usdc == null || !Number.isSafeInteger(chainId) ? null : { chainId, usdc };
}

/** Begins the keys of all balances. */
export const balances = ['USDC balance'] as const;

/** The USDC that an address holds, read through the session's wallet, which alone leads to the chain. Asks nobody. */
export function useBalance(of: `0x${string}`) {
  const settlement = useSettlement();
  const wallet = useSyncExternalStore(subscribeToWallets, walletOfSession);
  return useQuery<Result<Amount, BalanceProblem>>({
    queryKey: [...balances, of, settlement ?? null, wallet?.id ?? null],
    queryFn: () => balanceOf(of, settlement ?? null, wallet),
    enabled: settlement !== undefined,
    // The wallet may be led to another chain meanwhile, and payments are told by no event of the chain.
    staleTime: 0,
    refetchInterval: 30_000,
  });
}

async function balanceOf(
  of: `0x${string}`,
  settlement: Settlement,
  wallet: Wallet | null,
): Promise<Result<Amount, BalanceProblem>> {
  if (settlement === null) return fail({ kind: 'no-token' });
  if (wallet === null) return fail({ kind: 'no-wallet' });
  const chain = await requireChain(wallet.provider, settlement.chainId);
  if (!chain.ok) return chain;
  const answer = await readContract(wallet.provider, { to: settlement.usdc, data: balanceData(of) });
  if (!answer.ok) return answer;
  const balance = readBalance(answer.value);
  return balance === null ? fail({ kind: 'failed' }) : ok(balance);
}
