import type { Webhook, WebhookDelivery, WebhookEvent } from '@countersign/protocol/control/webhook-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

export type StoredWebhook = {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly disabledBecause: string | null;
  /** When each of its secrets, from the first, was replaced. */
  readonly rolledAt: readonly Date[];
};

const made = ['id', 'tenantId', 'url', 'events', 'createdBy', 'createdAt'] as const;
const later = ['disabledBecause', 'rolledAt'] as const;
export const webhookTable = sqlTable('control_plane.webhook', 'w', [...made, ...later]);
const columns = webhookTable.list(...made, ...later);

const insert = statement(
  'webhook.insert',
  `${webhookTable.insertInto(...made)} values (${placeholders(made)})`,
);

export async function insertWebhook(
  db: Queryable,
  webhook: Omit<StoredWebhook, 'disabledBecause' | 'rolledAt'>,
) {
  await rows(
    db,
    insert,
    made.map((field) => webhook[field]),
  );
}

const find = statement<StoredWebhook>(
  'webhook.find',
  `select ${columns} from ${webhookTable.from} where w.tenant_id = $1 and w.id = $2`,
);

export const findWebhook = (db: Queryable, tenantId: string, id: string): Promise<StoredWebhook | null> =>
  firstRow(db, find, [tenantId, id]);

const hold = statement<StoredWebhook>(
  'webhook.hold',
  `select ${columns} from ${webhookTable.from} where w.tenant_id = $1 and w.id = $2 for update`,
);

/** Locks a webhook until the transaction ends, so that nobody else rolls its secret. */
export const holdWebhook = (db: Queryable, tenantId: string, id: string): Promise<StoredWebhook | null> =>
  firstRow(db, hold, [tenantId, id]);

const roll = statement(
  'webhook.roll',
  'update control_plane.webhook set rolled_at = array_append(rolled_at, $2::timestamptz) where id = $1',
);

/** Its secret is another one from now on. */
export async function noteRolled(db: Queryable, id: string, at: Date): Promise<void> {
  await rows(db, roll, [id, at]);
}

const list = statement<StoredWebhook>(
  'webhook.list',
  `select ${columns} from ${webhookTable.from} where w.tenant_id = $1 order by w.created_at, w.id limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'webhook.count',
  'select count(*) as total from control_plane.webhook where tenant_id = $1',
);

type Page = { readonly limit: number; readonly offset: number };

export async function listWebhooks(db: Queryable, tenantId: string, { limit, offset }: Page) {
  const [items, counted] = await Promise.all([
    rows(db, list, [tenantId, limit, offset]),
    firstRow(db, count, [tenantId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const remove = statement<{ id: string }>(
  'webhook.delete',
  'delete from control_plane.webhook where tenant_id = $1 and id = $2 returning id',
);

export const deleteWebhook = async (db: Queryable, tenantId: string, id: string): Promise<boolean> =>
  (await firstRow(db, remove, [tenantId, id])) !== null;

const enable = statement(
  'webhook.enable',
  'update control_plane.webhook set disabled_because = null where id = $1',
);

export async function enableWebhook(db: Queryable, id: string): Promise<void> {
  await rows(db, enable, [id]);
}

const disable = statement(
  'webhook.disable',
  `with disabled as (update control_plane.webhook set disabled_because = $2 where id = $1)
   update control_plane.webhook_delivery set state = 'exhausted' where webhook_id = $1 and state = 'waiting'`,
);

/** Nothing is sent any more, nor will be what waits by now. */
export async function disableWebhook(db: Queryable, id: string, because: string): Promise<void> {
  await rows(db, disable, [id, because]);
}

const keepDays = 30;

// What is older than the longest that anybody is told again goes with it, a little at a time.
const insertEvent = statement(
  'webhook.event',
  `with old as (delete from control_plane.webhook_event where id in (select id from control_plane.webhook_event
     where at < $5::timestamptz - interval '${keepDays} days' limit 20 for update skip locked))
   insert into control_plane.webhook_event (id, tenant_id, type, body, at) values ($1, $2, $3, $4, $5)`,
);
const deliveryTable = sqlTable('control_plane.webhook_delivery', 'd', [
  'id',
  'webhookId',
  'eventId',
  'createdAt',
]);
const insertDeliveries = statement<{ webhookId: string }>(
  'webhook.deliveries',
  `${deliveryTable.insertInto('id', 'webhookId', 'eventId', 'createdAt')}
   select gen_random_uuid(), w.id, $2, $4 from ${webhookTable.from}
   where w.tenant_id = $1 and $3 = any(w.events) and w.disabled_because is null
   returning ${deliveryTable.list('webhookId')}`,
);

export type StoredEvent = {
  readonly id: string;
  readonly tenantId: string;
  readonly type: WebhookEvent;
  readonly body: string;
  readonly at: Date;
};

/** Keeps an event for every webhook that wants to hear of it: their ids. */
export async function insertEventFor(db: Queryable, { id, tenantId, type, body, at }: StoredEvent) {
  await rows(db, insertEvent, [id, tenantId, type, body, at]);
  const made = await rows(db, insertDeliveries, [tenantId, id, type, at]);
  return made.map(({ webhookId }) => webhookId);
}

const again = statement<{ id: string }>(
  'webhook.again',
  `with chosen as (
     select event_id from control_plane.webhook_delivery where webhook_id = $1
       and ($2::uuid is null or event_id = $2) and ($3::timestamptz is null or created_at >= $3)
     group by event_id order by max(created_at) desc
     limit case when $2::uuid is null and $3::timestamptz is null then 1 else 1000 end
   )
   ${deliveryTable.insertInto('id', 'webhookId', 'eventId', 'createdAt')}
   select gen_random_uuid(), $1, event_id, $4 from chosen returning id`,
);

/** New deliveries of one event, of those since a time, or (both null) of the newest: how many. */
export const replayDeliveries = async (
  db: Queryable,
  webhookId: string,
  { eventId, since }: { readonly eventId: string | null; readonly since: string | null },
  now: Date,
): Promise<number> => (await rows(db, again, [webhookId, eventId, since, now])).length;

type DeliveryRow = Omit<WebhookDelivery, 'last_at'> & { readonly last_at: Date | null };

const deliveries = statement<DeliveryRow>(
  'webhook.list-deliveries',
  `select d.id as delivery_id, d.event_id, e.type, d.state, d.attempts, d.last_outcome, d.last_at
   from control_plane.webhook_delivery d join control_plane.webhook_event e on e.id = d.event_id
   where d.webhook_id = $1 order by d.created_at desc, d.id limit $2 offset $3`,
);
const countDeliveries = statement<{ total: number }>(
  'webhook.count-deliveries',
  'select count(*) as total from control_plane.webhook_delivery where webhook_id = $1',
);

export async function listDeliveries(db: Queryable, webhookId: string, { limit, offset }: Page) {
  const [items, counted] = await Promise.all([
    rows(db, deliveries, [webhookId, limit, offset]),
    firstRow(db, countDeliveries, [webhookId]),
  ]);
  return {
    items: items.map((row) => ({ ...row, last_at: row.last_at?.toISOString() ?? null })),
    total: counted?.total ?? 0,
  };
}

export const showWebhook = ({
  id,
  url,
  events,
  createdAt,
  disabledBecause,
}: Omit<StoredWebhook, 'rolledAt'>): Webhook => ({
  webhook_id: id,
  url,
  events: [...events],
  created_at: createdAt.toISOString(),
  disabled_because: disabledBecause,
});
