import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import { z } from 'zod';

/**
 * Word that something was made or has changed: which, and whom it concerns, by ids of accounts or addresses of wallets.
 * `session` has ended, or its person’s roles changed; `person` was removed, or given other roles. Never the record itself: who hears it reads what he may see. `process` is one that listens from
 * now on, by its name; `lost` says that some notices never came.
 */
const notice = z.object({
  kind: z.enum([
    'approval',
    'transaction',
    'mandate',
    'alert',
    'recovery',
    'session',
    'person',
    'process',
    'lost',
  ]),
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

// What concerns an agent's wallet concerns its owner.
const send = statement(
  'notice.send',
  `select pg_notify('${channel}', case when owners is null then notice
     else jsonb_set(notice::jsonb, '{to}', notice::jsonb -> 'to' || owners)::text end)
   from unnest($1::text[]) notice cross join lateral (
     select jsonb_agg(w.owner) as owners from dashboard.account_wallet w
     where w.wallet in (select jsonb_array_elements_text(notice::jsonb -> 'to')) and w.owner <> w.wallet) concerned`,
);

/** Tells these at once. */
export async function sendNotices(db: Queryable, notices: readonly Notice[]): Promise<void> {
  await rows(db, send, [notices.map((notice) => JSON.stringify(notice))]);
}

const pauseMs = 50;
const againMs = 1_000;
const maxWaiting = 10_000;

/** Some notices never came: whoever looks on has to read everything anew. */
export const lost: Notice = { kind: 'lost', id: '', to: [] };

/**
 * Sends notices together, and the same only once. A commit that notifies makes every other such commit wait, so it is
 * a transaction of its own and not the one that it tells of: money does not wait for those who look on. What could not
 * be sent is told as `lost` as soon as that can be; what is lost with its process, the others notice by themselves.
 */
export function createTeller(pool: Pool, log: Logger): { readonly tell: Tell } & Service {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;
  let stopping = false;

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting];
      waiting.clear();
      const sent = await rows(pool, send, [batch]).catch((error: unknown) => {
        log.warn({ notices: batch.length, why: sayWhy(error) }, 'nobody was told so far');
        return null;
      });
      if (sent === null) waiting.add(JSON.stringify(lost));
      if (sent === null && stopping) break;
      await sleep(sent === null ? againMs : pauseMs);
    }
    sending = null;
  }

  return {
    tell(notice) {
      // Only a database that is gone lets so many wait.
      if (waiting.size >= maxWaiting) {
        waiting.clear();
        waiting.add(JSON.stringify(lost));
      }
      waiting.add(JSON.stringify(notice));
      sending ??= sendAll();
    },
    stop: () => {
      stopping = true;
      return sending ?? Promise.resolve();
    },
  };
}
