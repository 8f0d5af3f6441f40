import type { WebhookDelivery } from '@countersign/protocol/control/webhook-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { webhookTable } from './store.ts';

/** A delivery that is to be sent now. */
export type DueDelivery = {
  readonly id: string;
  /** The number of failed attempts. */
  readonly attempts: number;
  readonly eventId: string;
  readonly body: string;
  readonly webhookId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly rolledAt: readonly Date[];
};

// One look at the index for each webhook: what waits behind a slow receiver is never read through.
const waiting = statement<{ id: string }>(
  'webhook.waiting',
  `select w.id from control_plane.webhook w, lateral (select from control_plane.webhook_delivery d
     where d.webhook_id = w.id and d.state = 'waiting' and d.due_at <= now() limit 1) due
   where w.disabled_because is null and w.id <> all($1::uuid[]) limit 100`,
);

/** Some webhooks for which something is due, none of those. */
export const findWaiting = async (db: Queryable, but: readonly string[]): Promise<readonly string[]> =>
  (await rows(db, waiting, [[...but]])).map(({ id }) => id);

/** Longer than an attempt may take. */
const claimSeconds = 30;

const claim = statement<DueDelivery>(
  'webhook.claim',
  `with mine as (
     update control_plane.webhook_delivery set due_at = now() + interval '${claimSeconds} s' where id = (
       select d.id from control_plane.webhook_delivery d
       where d.webhook_id = $1 and d.state = 'waiting' and d.due_at <= now()
       order by d.due_at limit 1 for update skip locked)
     returning id, attempts, event_id, webhook_id)
   select mine.id, mine.attempts, e.id as "eventId", e.body, w.id as "webhookId", ${webhookTable.list('tenantId', 'url', 'rolledAt')}
   from mine join control_plane.webhook_event e on e.id = mine.event_id
   join ${webhookTable.from} on w.id = mine.webhook_id and w.disabled_because is null`,
);

/** Claims the delivery that is longest overdue, for half a minute; null if none is due. */
export const claimDue = (db: Queryable, webhookId: string): Promise<DueDelivery | null> =>
  firstRow(db, claim, [webhookId]);

const note = statement(
  'webhook.note',
  `update control_plane.webhook_delivery set attempts = attempts + 1, state = $3, last_outcome = $4, last_at = $5,
     due_at = now() + $6 * interval '1 ms'
   where id = $1 and attempts = $2`,
);

export type Attempt = {
  readonly state: WebhookDelivery['state'];
  readonly outcome: string;
  readonly at: Date;
  /** Until the next one; null: there is none. */
  readonly waitMs: number | null;
};

/** Ends a claim. One that took so long that somebody else has sent it meanwhile changes nothing. */
export async function noteAttempt(
  db: Queryable,
  { id, attempts }: DueDelivery,
  { state, outcome, at, waitMs }: Attempt,
): Promise<void> {
  await rows(db, note, [id, attempts, state, outcome, at, waitMs ?? 0]);
}

const putOff = statement(
  'webhook.put-off',
  `update control_plane.webhook_delivery set due_at = now() + interval '1 s' where id = $1 and attempts = $2`,
);

/** Ends a claim under which nothing was sent. */
export async function unclaim(db: Queryable, { id, attempts }: DueDelivery): Promise<void> {
  await rows(db, putOff, [id, attempts]);
}
