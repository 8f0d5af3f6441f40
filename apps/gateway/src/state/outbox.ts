import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import type { Answer } from '@countersign/service/client';
import type { Logger } from '@countersign/service/logger';
import type { Timers } from '@countersign/service/timers';

export type StoredReport = {
  readonly id: string;
  readonly report: TransactionReport;
  readonly nonce: string | null;
};

/** The queue of reports. Each method is durable when it resolves. */
export type OutboxStore = {
  /**
   * Oldest first. For `leaseMs` they are this process's: others see them again only when it has not delivered them by
   * then, because it is busy with an outage or dead.
   */
  readonly pending: (limit: number) => Promise<readonly StoredReport[]>;
  readonly delivered: (report: StoredReport) => Promise<void>;
  /** Keeps a report from everybody for so many milliseconds, so that those behind it need not wait for it. */
  readonly postpone: (report: StoredReport, forMs: number) => Promise<void>;
  /** Sets a report aside that the dashboard will never take; it is kept for a person to look at. */
  readonly park: (report: StoredReport, why: string) => Promise<void>;
  readonly onReport: (listener: () => void) => void;
};

export type Outbox = {
  /** Tries once more to empty the outbox, then stops. What is left is sent by the next process. */
  readonly stop: () => Promise<void>;
};

type Send = (report: TransactionReport, traceId: string) => Promise<Answer<unknown, DashboardCode>>;

/**
 * How long a process owns a report, in milliseconds. This is longer than sending takes; sending twice would
 * do no harm.
 */
export const leaseMs = 5_000;

/** Interval, in milliseconds, at which reports of other processes are looked for. */
const lookAroundMs = 1_000;
const atOnce = 32;
const firstBackoffMs = 500;
const maxBackoffMs = 30_000;

/** How long a refused report of a payment waits: 30 seconds, doubled with each refusal. */
const firstPostponedMs = 30_000;
const maxPostponedMs = 15 * 60_000;

/** Sends reports until the dashboard has each of them, across outages and restarts. Never blocks a call. */
export function startOutbox(store: OutboxStore, send: Send, timers: Timers, log: Logger): Outbox {
  let stopping = false;
  let asked = false;
  let backoffMs = 0;
  let stopWaiting: (() => void) | undefined;
  let running: Promise<void> | null = null;
  const postponed = new Map<string, number>();

  const drain = async (): Promise<void> => {
    for (;;) {
      const batch = await store.pending(atOnce);
      if (batch.length === 0) return;
      const fates = await Promise.all(batch.map((stored) => deliver(send, log, stored, postponed)));
      // All at once, so that they share a flush of the store.
      await Promise.all(fates.map((fate) => settle(store, fate, postponed)));
      if (fates.some(({ kind }) => kind === 'later')) {
        backoffMs = Math.min(maxBackoffMs, backoffMs === 0 ? firstBackoffMs : backoffMs * 2);
        // What was reported meanwhile waits too.
        asked = false;
        if (!stopping) stopWaiting = timers.after(backoffMs, wake);
        return;
      }
      backoffMs = 0;
    }
  };
  const drainUntilQuiet = async (): Promise<void> => {
    while (asked) {
      asked = false;
      await drain().catch((error: unknown) => log.error({ err: error }, 'the outbox failed'));
    }
    running = null;
  };
  const wake = (): void => {
    stopWaiting?.();
    stopWaiting = undefined;
    asked = true;
    running ??= drainUntilQuiet();
  };
  // While the dashboard is known to be away, a new report waits for the next attempt with the others.
  const wakeUnlessWaiting = (): void => {
    if (stopWaiting === undefined) wake();
  };
  store.onReport(wakeUnlessWaiting);
  const stopLooking = timers.every(lookAroundMs, wakeUnlessWaiting);
  wake();
  return {
    async stop() {
      stopping = true;
      stopLooking();
      await running;
      wake();
      await running;
    },
  };
}

/**
 * What came of sending a report: it is there, will never be taken, is refused as things stand, or has to be sent again
 * together with all others.
 */
type Fate =
  | { readonly kind: 'delivered'; readonly stored: StoredReport }
  | { readonly kind: 'not-now'; readonly stored: StoredReport }
  | { readonly kind: 'refused'; readonly stored: StoredReport; readonly why: string }
  | { readonly kind: 'later' };

/** The last postponement of each report of this process, in milliseconds, by report id. */
type Postponed = Map<string, number>;

async function deliver(send: Send, log: Logger, stored: StoredReport, postponed: Postponed): Promise<Fate> {
  const { traceId } = stored.report.metadata as { traceId: string };
  const answer = await send(stored.report, traceId);
  if (answer.kind === 'ok' || (answer.kind === 'refused' && answer.status === 409))
    return { kind: 'delivered', stored };
  if (answer.kind === 'refused' && isFinal(answer.status)) {
    const { status, code } = answer;
    const paid = stored.report.serviceResult === 'pass';
    if (paid && status === 403) {
      const level = postponed.has(stored.id) ? 'debug' : 'error';
      log[level](
        { traceId, status, code },
        'the dashboard refuses the report of a payment; it is sent again',
      );
      return { kind: 'not-now', stored };
    }
    const about = { traceId, status, code };
    if (paid || status !== 403)
      log.error(about, 'the dashboard refuses this report for good; it is set aside');
    // An agent may call as often as it likes, and nothing was paid.
    else log.debug(about, 'the dashboard refuses the report of a call that was refused; it is set aside');
    return { kind: 'refused', stored, why: `${status} ${code}` };
  }
  const why = answer.kind === 'refused' ? answer.status : answer.why;
  log.warn({ traceId, answer: why }, 'report not delivered yet');
  return { kind: 'later' };
}

async function settle(store: OutboxStore, fate: Fate, postponed: Postponed): Promise<void> {
  if (fate.kind === 'later') return;
  const { id } = fate.stored;
  if (fate.kind === 'not-now') {
    const forMs = Math.min(maxPostponedMs, (postponed.get(id) ?? firstPostponedMs / 2) * 2);
    postponed.set(id, forMs);
    return store.postpone(fate.stored, forMs);
  }
  postponed.delete(id);
  return fate.kind === 'delivered' ? store.delivered(fate.stored) : store.park(fate.stored, fate.why);
}

/**
 * 401 and 429 can heal; the body of any other 4xx stays wrong however often it is sent. 403 says whose report it may be:
 * a dashboard of another release, or an agent wallet that is signed a moment later, can change that.
 */
const isFinal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status);
