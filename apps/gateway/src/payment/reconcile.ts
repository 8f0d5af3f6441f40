import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { isByPermit2, type PaymentEntry, permit2MethodOf, takenOf } from '../ports/payment-entry.ts';
import type { Timers } from '@countersign/service/timers';
import type { ExpiryPort, Settled } from '../ports/chain.ts';
import type { StatePort } from '../ports/state.ts';

/** Blocks of a chain and our clock may differ by this much. */
const clockSkewMs = 60_000;

/**
 * What was taken, and no transaction shows it, counts as the whole from then on: whoever took it may have hidden how. The dashboard's
 * hold ends later, so that it never gives back what has moved.
 */
const unseenForMs = clockSkewMs / 2;
/** From here on there may be no other look before that hold ends: what was taken then counts, though the chain gave no answer. */
const lastLookForMs = (clockSkewMs * 3) / 4;

/** So many payments by Permit2 are looked at together. */
const together = 8;

type Chain = ExpiryPort;

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
  /** What one look leaves for the next. */
  readonly kept: Kept;
};

type Kept = {
  /** The kinds of payments that are being looked at. */
  readonly busy: Set<Kind>;
  /** Nonces of payments by Permit2 of which the chain told nothing at the last look. */
  readonly unanswered: Set<string>;
};
export const newKept = (): Kept => ({ busy: new Set(), unanswered: new Set() });

/** Those of a kind are looked at once at a time, and wait for no other kind: who is paid by Permit2 may make that take long. */
const kinds = ['by-token', 'permit2', 'permit2-hurried'] as const;
type Kind = (typeof kinds)[number];

/**
 * Looks once at every payment whose outcome nobody knows: after a time-out, a broken answer, or a crash. What the
 * chain shows as settled is reported; what can settle no more gives its budget back; the rest waits. Without a chain
 * doubt stays doubt: who took the money may have kept quiet, so its budget stays taken and its key pays no second time.
 */
export async function reconcile(parts: Parts): Promise<void> {
  const { chain, kept } = parts;
  if (chain === null) return;
  const now = parts.now();
  // Its hold ends soon after its validity: a payment that settled has to be counted by then.
  const isDue = ({ openedAt, validBefore }: PaymentEntry): boolean =>
    Math.min(openedAt + parts.patienceMs, validBefore * 1000) <= now;
  const due = (await parts.state.unresolved()).filter(isDue);
  const looks = kinds.map(async (kind) => {
    const entries = due.filter((entry) => kindOf(entry, now) === kind);
    if (entries.length === 0 || kept.busy.has(kind)) return;
    kept.busy.add(kind);
    const rest = entries.values();
    const lanes = Array.from({ length: kind === 'by-token' ? 1 : together }, () =>
      lookAtEach(rest, (entry) => settleQuestion(parts, chain, entry)),
    );
    await allOf(lanes).finally(() => kept.busy.delete(kind));
  });
  await allOf(looks);
}

function kindOf(entry: PaymentEntry, now: number): Kind {
  if (!isByPermit2(entry)) return 'by-token';
  return now - entry.validBefore * 1000 >= unseenForMs ? 'permit2-hurried' : 'permit2';
}

/** One after the other. What goes wrong with one is told at the end. */
async function lookAtEach(
  entries: Iterator<PaymentEntry>,
  look: (entry: PaymentEntry) => Promise<void>,
): Promise<void> {
  const looks: Promise<void>[] = [];
  for (let next = entries.next(); next.done !== true; next = entries.next()) {
    const looked = look(next.value);
    looks.push(looked);
    await Promise.allSettled([looked]);
  }
  await allOf(looks);
}

/** Waits for all of them, also when one of them fails. */
async function allOf(all: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(all);
  await Promise.all(all);
}

async function settleQuestion(
  { state, unnamed, now, kept }: Parts,
  chain: Chain,
  entry: PaymentEntry,
): Promise<void> {
  if (await unnamed.isElsewhere(entry)) return;
  const overForMs = now() - entry.validBefore * 1000;
  const found = await chain.searchSettlement(entry, overForMs >= unseenForMs && overForMs < clockSkewMs);
  const tell = (settled: Settled): Promise<void> =>
    unnamed.settle(entry, settled, () => state.reportUnresolved(reportOf(entry, settled), entry));
  if (typeof found === 'object') return tell(found);
  const isUnseen = found !== 'unused' && overForMs >= unseenForMs && (await chain.wasTaken(entry));
  if (isUnseen && mayCountWhole(kept, entry, found, overForMs)) return tell({ transaction: null });
  if (overForMs >= clockSkewMs && (await cannotSettle(chain, entry, found))) await state.resolveUnused(entry);
}

/**
 * Whether what was taken counts as the whole by now. Where less may have been taken, a node that gave no answer is asked again: until
 * the last look before the hold ends or, after that, once more.
 */
function mayCountWhole(
  { unanswered }: Kept,
  entry: PaymentEntry,
  found: 'none' | 'unknown',
  overForMs: number,
): boolean {
  const isAgain = unanswered.delete(entry.nonce);
  if (found === 'none' || entry.decimals === undefined) return true;
  if (overForMs >= lastLookForMs && (overForMs < clockSkewMs || isAgain)) return true;
  unanswered.add(entry.nonce);
  return false;
}

/** By its method and nonce the dashboard knows a payment by Permit2; a preview of before did not journal the method. */
function reportOf(entry: PaymentEntry, { transaction, moved }: Settled): PaymentEntry['ifSettled'] {
  const { ifSettled, nonce } = entry;
  const method = permit2MethodOf(entry);
  const metadata = {
    ...ifSettled.metadata,
    ...(method !== null && { method, nonce }),
    ...(transaction === null && { why: 'no transaction shows how much was taken' }),
  };
  return {
    ...ifSettled,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(moved !== undefined && { amount: takenOf(entry, moved) }),
    ...(transaction !== null && { txHash: transaction }),
  };
}

/** Whether what has run out was never taken, and never will be: by its own nonce, or because another payment used that up. */
const cannotSettle = (
  chain: Chain,
  entry: PaymentEntry,
  found: 'unused' | 'none' | 'unknown',
): Promise<boolean> => (found === 'unused' ? chain.staysUnused(entry) : chain.wasSpentOtherwise(entry));

/** Reconciles at start, so that a crash is made good, and then every so often. Gives the stop. */
export function keepReconciling(
  parts: Omit<Parts, 'kept'> & { readonly timers: Timers },
  everyMs: number,
  log: Logger,
): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const kept = newKept();
  const run = (): void => {
    const look = reconcile({ ...parts, kept })
      .catch((error: unknown) => log.error(`reconciling failed: ${sayWhy(error)}`))
      .finally(() => running.delete(look));
    running.add(look);
  };
  run();
  const stopLooking = parts.timers.every(everyMs, run);
  return async () => {
    stopLooking();
    await Promise.all(running);
  };
}
