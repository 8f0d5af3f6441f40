import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { type PaymentEntry, takenOf } from '../ports/payment-entry.ts';
import type { Timers } from '@countersign/service/timers';
import type { ChainPort, ExpiryPort, Settled } from '../ports/chain.ts';
import type { StatePort } from '../ports/state.ts';

/** Blocks of a chain and our clock may differ by this much. */
const clockSkewMs = 60_000;

/**
 * What was taken, and no transaction shows it, counts as the whole from then on: whoever took it may have hidden how. The dashboard's
 * hold ends later, so that it never gives back what has moved.
 */
const unseenForMs = clockSkewMs / 2;

type Chain = Pick<ChainPort, 'findSettlement'> & ExpiryPort;

/** Payments without a key, whose callers nobody can name. */
export type Unnamed = {
  /** Whether another process lives that waits for its answer: then that one looks after it. */
  readonly isElsewhere: (entry: PaymentEntry) => Promise<boolean>;
  /**
   * Reports a payment that has settled, once, and tells the next identical call of one whose process died with its
   * answer. Does nothing when another process does so.
   */
  readonly settle: (entry: PaymentEntry, settled: Settled, report: () => Promise<void>) => Promise<void>;
};

type Parts = {
  readonly state: StatePort;
  readonly unnamed: Unnamed;
  readonly chain: Chain | null;
  readonly now: () => number;
  /** A payment younger than this, and still valid, is being waited for. Milliseconds. */
  readonly patienceMs: number;
};

/**
 * Looks once at every payment whose outcome nobody knows: after a time-out, a broken answer, or a crash. What the
 * chain shows as settled is reported; what can settle no more gives its budget back; the rest waits. Without a chain
 * doubt stays doubt: who took the money may have kept quiet, so its budget stays taken and its key pays no second time.
 */
export async function reconcile(parts: Parts): Promise<void> {
  if (parts.chain === null) return;
  const now = parts.now();
  for (const entry of await parts.state.unresolved()) {
    // Its hold ends soon after its validity: a payment that settled has to be counted by then.
    const waitedFor = Math.min(entry.openedAt + parts.patienceMs, entry.validBefore * 1000);
    if (waitedFor <= now) await settleQuestion(parts, parts.chain, entry);
  }
}

async function settleQuestion(
  { state, unnamed, now }: Parts,
  chain: Chain,
  entry: PaymentEntry,
): Promise<void> {
  if (await unnamed.isElsewhere(entry)) return;
  const overForMs = now() - entry.validBefore * 1000;
  const found = await chain.findSettlement(entry);
  const tell = (settled: Settled): Promise<void> =>
    unnamed.settle(entry, settled, () => state.reportUnresolved(reportOf(entry, settled), entry));
  if (typeof found === 'object') return tell(found);
  const isUnseen = found === 'unknown' && overForMs >= unseenForMs && (await chain.wasTaken(entry));
  if (isUnseen) return tell({ transaction: null });
  if (overForMs >= clockSkewMs && (await cannotSettle(chain, entry, found))) await state.resolveUnused(entry);
}

function reportOf(entry: PaymentEntry, { transaction, moved }: Settled): PaymentEntry['ifSettled'] {
  const { ifSettled } = entry;
  if (transaction !== null)
    return {
      ...ifSettled,
      ...(moved !== undefined && { amount: takenOf(entry, moved) }),
      txHash: transaction,
    };
  return {
    ...ifSettled,
    metadata: { ...ifSettled.metadata, why: 'no transaction shows how much was taken' },
  };
}

/** Whether what has run out was never taken, and never will be: by its own nonce, or because another payment used that up. */
const cannotSettle = (chain: Chain, entry: PaymentEntry, found: 'unused' | 'unknown'): Promise<boolean> =>
  found === 'unused' ? chain.staysUnused(entry) : chain.wasSpentOtherwise(entry);

/** Reconciles at start, so that a crash is made good, and then every so often. Gives the stop. */
export function keepReconciling(
  parts: Parts & { readonly timers: Timers },
  everyMs: number,
  log: Logger,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  // One look at a time: what takes long is not begun once more beside itself.
  const run = (): void => {
    running ??= reconcile(parts)
      .catch((error: unknown) => log.error(`reconciling failed: ${sayWhy(error)}`))
      .finally(() => {
        running = null;
      });
  };
  run();
  const stopLooking = parts.timers.every(everyMs, run);
  return async () => {
    stopLooking();
    await running;
  };
}
