import { setTimeout as sleep } from 'node:timers/promises';
import type { AnchorChain } from './anchor-chain.ts';
import { type AnchoredLog, publishRound } from './publish-round.ts';

/** The publisher's state, as `/ready` reports it. Times are Unix milliseconds. */
export type PublisherState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'anchored'; readonly size: number; readonly at: number }
  /** Nothing is lost: the newest root is published when the chain answers again. */
  | { readonly kind: 'retrying'; readonly since: number; readonly attempts: number; readonly reason: string }
  /** Publishing stops: a person has to look. */
  | { readonly kind: 'diverged'; readonly reason: string };

export type PublisherOptions = {
  readonly log: AnchoredLog;
  readonly chain: AnchorChain;
  readonly logId: Buffer;
  readonly flags: number;
  readonly intervalMs: number;
  /** First wait after a failure; each further one is twice as long, up to the interval. */
  readonly retryMs: number;
  readonly now: () => number;
  /** Told each time when a root was published, or something changed. */
  readonly onState: (state: PublisherState, transactionHash: string | null) => void;
};

export type Publisher = {
  readonly state: () => PublisherState;
  /** Resolves when the round under way has ended. */
  readonly stop: () => Promise<void>;
};

/**
 * Publishes the newest root now and at each interval. Run one for a log, under a lock of the database; two would not
 * harm each other, for the contract takes a root only after the one it knows.
 */
export function startPublisher(options: PublisherOptions): Publisher {
  const stopping = new AbortController();
  let state: PublisherState = { kind: 'starting' };
  const become = (next: PublisherState, transactionHash: string | null) => {
    state = next;
    options.onState(next, transactionHash);
  };
  const ended = publishUntilStopped(options, stopping.signal, () => state, become);
  return {
    state: () => state,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function publishUntilStopped(
  { log, chain, logId, flags, intervalMs, retryMs, now }: PublisherOptions,
  signal: AbortSignal,
  state: () => PublisherState,
  become: (next: PublisherState, transactionHash: string | null) => void,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; ) {
    try {
      const round = await publishRound(log, chain, { logId, flags }, attempt);
      if (round.kind === 'diverged') return become(round, null);
      attempt = 0;
      become({ kind: 'anchored', size: round.size, at: now() }, round.transactionHash);
    } catch (error) {
      attempt += 1;
      const before = state();
      const since = before.kind === 'retrying' ? before.since : now();
      become({ kind: 'retrying', since, attempts: attempt, reason: shortOf(error) }, null);
    }
    const pause = attempt === 0 ? intervalMs : Math.min(intervalMs, retryMs * 2 ** (attempt - 1));
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

/** The first line: what libraries add below it repeats the request. */
const shortOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
