import { sayWhy } from '@countersign/service/lifecycle';
import { maxAllKeptBytes } from '../calls/kept.ts';
import type { Logger } from '@countersign/service/logger';
import type { Timers } from '@countersign/service/timers';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * How long entries are kept that an agent can refer to by an idempotency key or an approval id, in
 * milliseconds after their end.
 */
export const namedForMs = 30 * dayMs;

/** How long an unresponsive process keeps its calls, in milliseconds. */
export const claimMs = 5_000;

/** Nobody can ask for a payment without a key again; its authorization (an hour at most) has run out long before. */
export const unnamedForMs = dayMs;

/**
 * Returns how long a payment is kept once the dashboard has counted it, in milliseconds: within that time its
 * key pays only once.
 */
export const keptForMs = (callKey: string | null): number => (callKey === null ? unnamedForMs : namedForMs);

export type ForgettingStore = {
  /**
   * Forgets some of what was kept for long enough: payments that the dashboard has counted, remembered answers,
   * approvals. Never a payment whose outcome is open, or whose report has not arrived. At most `limit` of each kind;
   * gives how many, and 0 when nothing is left to forget. Kept answers have `maxKeptBytes` together: of the oldest the
   * content goes.
   */
  readonly forgetOld: (limit: number, maxKeptBytes: number) => Promise<number>;
};

/** Small, because a payment that is opened meanwhile waits for it. */
const atOnce = 200;
const everyMs = 60_000;

/** Forgets now, and then every minute. Any number of processes may do so on one store. Gives the stop. */
export function keepForgetting(store: ForgettingStore, timers: Timers, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const forgetAll = async (): Promise<void> => {
    while (!stopping.signal.aborted && (await store.forgetOld(atOnce, maxAllKeptBytes)) > 0);
  };
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = running
      .then(forgetAll)
      .catch((error: unknown) => log.error(`forgetting old payments failed: ${sayWhy(error)}`));
  };
  run();
  const stopTimer = timers.every(everyMs, run);
  return async () => {
    stopping.abort();
    stopTimer();
    await running;
  };
}
