import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { type Pool, rows, statement } from '@countersign/service/sql';
import { z } from 'zod';

/**
 * Word that something was made or has changed: which, and whom it concerns, by ids of accounts or addresses of wallets.
 * `session` has ended. Never the record itself: who hears it reads what he may see.
 */
const notice = z.object({
  kind: z.enum(['approval', 'transaction', 'mandate', 'alert', 'session']),
  id: z.union([z.string(), z.number()]),
  to: z.array(z.string()).readonly(),
});
export type Notice = z.infer<typeof notice>;

/** Reads what came by the channel; null for what is no notice. */
export function readNotice(message: string): Notice | null {
  try {
    return notice.parse(JSON.parse(message));
  } catch {
    return null;
  }
}

/** Tells every process, soon; never waits and never fails. Called after the commit. */
export type Tell = (notice: Notice) => void;

/** The channel of PostgreSQL that notices go by. */
export const channel = 'dashboard_notice';

const send = statement(
  'notice.send',
  `select pg_notify('${channel}', notice) from unnest($1::text[]) notice`,
);

const pauseMs = 50;
const mostWaiting = 10_000;

/**
 * Sends notices together, and the same only once. A commit that notifies makes every other such commit wait, so it is
 * a transaction of its own and not the one that it tells of: money does not wait for those who look on. A notice that
 * is lost with its process costs a look: whoever connects again reads everything again.
 */
export function createTeller(pool: Pool, log: Logger): { readonly tell: Tell } & Service {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting];
      waiting.clear();
      await rows(pool, send, [batch]).catch((error: unknown) =>
        log.warn({ notices: batch.length, why: sayWhy(error) }, 'nobody was told'),
      );
      await sleep(pauseMs);
    }
    sending = null;
  }

  return {
    tell(notice) {
      // Only a database that is gone lets so many wait.
      if (waiting.size >= mostWaiting) waiting.clear();
      waiting.add(JSON.stringify(notice));
      sending ??= sendAll();
    },
    stop: () => sending ?? Promise.resolve(),
  };
}
