import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import type { Answer } from '@countersign/service/client';
import type { Logger } from '@countersign/service/logger';

export type StoredReport = {
  readonly id: string;
  readonly report: TransactionReport;
  readonly nonce: string | null;
};

/** Where reports wait. Each method is durable when it resolves. */
export type OutboxStore = {
  /**
   * Oldest first. For `leaseMs` they are this process's: others see them again only when it has not delivered them by
   * then, because it is busy with an outage or dead.
   */
  readonly pending: (limit: number) => Promise<readonly StoredReport[]>;
  readonly delivered: (report: StoredReport) => Promise<void>;
  /** Sets a report aside that the dashboard will never take; it is kept for a person to look at. */
  readonly park: (report: StoredReport, why: string) => Promise<void>;
  readonly onReport: (listener: () => void) => void;
};

export type Outbox = {
  /** Tries once more to empty the outbox, then stops. What is left is sent by the next process. */
  readonly stop: () => Promise<void>;
};

type Send = (report: TransactionReport, traceId: string) => Promise<Answer<unknown, DashboardCode>>;

/** How long a report is one process's to send. Longer than a sending takes; a second one would do no harm. */
export const leaseMs = 5_000;

/** How often to look for reports that another process left behind. */
const lookAroundMs = 1_000;
const atOnce = 32;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

/** Sends reports until the dashboard has each of them, across outages and restarts. Never blocks a call. */
export function startOutbox(store: OutboxStore, send: Send, log: Logger): Outbox {
  let stopping = false;
  let asked = false;
  let backoffMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  const drain = async (): Promise<void> => {
    for (;;) {
      const batch = await store.pending(atOnce);
      if (batch.length === 0) return;
      const fates = await Promise.all(batch.map((stored) => deliver(send, log, stored)));
      // All at once, so that they share a flush of the store.
      await Promise.all(fates.map((fate) => settle(store, fate)));
      if (fates.some(({ kind }) => kind === 'later')) {
        backoffMs = Math.min(longestBackoffMs, backoffMs === 0 ? firstBackoffMs : backoffMs * 2);
        // What was reported meanwhile waits too.
        asked = false;
        if (!stopping) timer = setTimeout(wake, backoffMs);
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
    clearTimeout(timer);
    timer = undefined;
    asked = true;
    running ??= drainUntilQuiet();
  };
  // While the dashboard is known to be away, a new report waits for the next attempt with the others.
  const wakeUnlessWaiting = (): void => {
    if (timer === undefined) wake();
  };
  store.onReport(wakeUnlessWaiting);
  const looking = setInterval(wakeUnlessWaiting, lookAroundMs);
  wake();
  return {
    async stop() {
      stopping = true;
      clearInterval(looking);
      await running;
      wake();
      await running;
    },
  };
}

/** What came of sending a report: it is there, will never be taken, or has to be sent again. */
type Fate =
  | { readonly kind: 'delivered'; readonly stored: StoredReport }
  | { readonly kind: 'refused'; readonly stored: StoredReport; readonly why: string }
  | { readonly kind: 'later' };

async function deliver(send: Send, log: Logger, stored: StoredReport): Promise<Fate> {
  const { traceId } = stored.report.metadata as { traceId: string };
  const answer = await send(stored.report, traceId);
  if (answer.kind === 'ok' || (answer.kind === 'refused' && answer.status === 409))
    return { kind: 'delivered', stored };
  if (answer.kind === 'refused' && isFinal(answer.status)) {
    const { status, code } = answer;
    log.error({ traceId, status, code }, 'the dashboard refuses this report for good; it is set aside');
    return { kind: 'refused', stored, why: `${status} ${code}` };
  }
  const why = answer.kind === 'refused' ? answer.status : answer.why;
  log.warn({ traceId, answer: why }, 'report not delivered yet');
  return { kind: 'later' };
}

async function settle(store: OutboxStore, fate: Fate): Promise<void> {
  switch (fate.kind) {
    case 'delivered':
      return store.delivered(fate.stored);
    case 'refused':
      return store.park(fate.stored, fate.why);
    case 'later':
  }
}

/** 401 and 429 can heal; the body of any other 4xx stays wrong however often it is sent. */
const isFinal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status);
