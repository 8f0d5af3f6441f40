import { fail, type Result } from '@countersign/protocol/result';
import { useSyncExternalStore } from 'react';
import type { Problem } from '../api/problem.ts';
import type { Settlement } from '../wallet/balance.ts';
import type { WalletProblem } from '../wallet/problem.ts';
import { requireAccount, requireChain, sendTransaction } from '../wallet/requests.ts';
import { walletOfSession } from '../wallet/sign.ts';

export type Transfer = {
  readonly settlement: NonNullable<Settlement>;
  /** The owner's wallet, which sends it. */
  readonly sender: string;
  /** The amount, in base units of the token. */
  readonly units: bigint;
  /** The calldata for the token's contract. */
  readonly data: string;
  /** Why it is not to be sent after all, asked last; null when it is. */
  readonly whyNot: () => Promise<TransferProblem | null>;
};

export type TransferProblem =
  | { readonly from: 'wallet'; readonly problem: WalletProblem }
  | { readonly from: 'server'; readonly problem: Problem }
  | { readonly from: 'agent' }
  | { readonly from: 'expired' };

export type SentTransfer = Pick<Transfer, 'units'> & {
  readonly at: 'sent';
  readonly hash: string;
  readonly chainId: number;
  /** On this browser's clock, in milliseconds. */
  readonly sentAt: number;
};

/** `asking`: the wallet's own window is open, or will be at once. */
export type TransferState =
  | (Pick<Transfer, 'units'> & { readonly at: 'asking' })
  | (Pick<Transfer, 'units'> & { readonly at: 'failed'; readonly problem: TransferProblem })
  | SentTransfer;

/**
 * The latest transfer of each kind with each agent, by a name of its own. Kept outside of every component: a sheet can be closed while the
 * wallet's window is open, and a wallet that is asked again then sends twice.
 */
let transfers: ReadonlyMap<string, TransferState> = new Map();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function put(name: string, state: TransferState | null): void {
  const others = [...transfers].filter(([other]) => other !== name);
  transfers = new Map(state === null ? others : [...others, [name, state]]);
  for (const listener of listeners) listener();
}

/** The latest transfer of this name, null when there is none. `run` does nothing while one is asked for or sent. */
export function useTransfer(name: string) {
  const latest = () => transfers.get(name) ?? null;
  const state = useSyncExternalStore(subscribe, latest);
  const run = async (transfer: Transfer): Promise<void> => {
    const before = latest();
    if (before !== null && before.at !== 'failed') return;
    const { units, settlement } = transfer;
    put(name, { at: 'asking', units });
    const sent = await send(transfer);
    put(
      name,
      sent.ok
        ? { at: 'sent', units, hash: sent.value, chainId: settlement.chainId, sentAt: Date.now() }
        : { at: 'failed', units, problem: sent.error },
    );
  };
  /** Puts away what has ended; what the wallet is asked for stays. */
  const dismiss = (): void => {
    if (latest()?.at !== 'asking') put(name, null);
  };
  return { state, run, dismiss };
}

/**
 * Asks the owner's wallet for one call of the token: account and chain first, because wallets explain neither; the reason
 * against it last, because it may have come up meanwhile.
 */
async function send({
  settlement: { chainId, usdc },
  sender,
  data,
  whyNot,
}: Transfer): Promise<Result<string, TransferProblem>> {
  const wallet = walletOfSession();
  if (wallet === null) return fail({ from: 'wallet', problem: { kind: 'no-wallet' } });
  const account = await requireAccount(wallet.provider, sender);
  if (!account.ok) return fail({ from: 'wallet', problem: account.error });
  const chain = await requireChain(wallet.provider, chainId);
  if (!chain.ok) return fail({ from: 'wallet', problem: chain.error });
  const reason = await whyNot();
  if (reason !== null) return fail(reason);
  const sent = await sendTransaction(wallet.provider, account.value, { chainId, to: usdc, data });
  return sent.ok ? sent : fail({ from: 'wallet', problem: sent.error });
}
