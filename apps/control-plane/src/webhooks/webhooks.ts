import { randomInt, randomUUID } from 'node:crypto';
import type { WebhookEvent } from '@countersign/protocol/control/webhook-routes';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Pool, Queryable } from '@countersign/service/sql';
import type { Enclave } from '../enclave.ts';
import type { Signals } from '../signals.ts';
import { claimDue, type DueDelivery, findWaiting, noteAttempt, unclaim } from './due.ts';
import { startLanes } from './lanes.ts';
import type { Post } from './post.ts';
import { delayAfter } from './schedule.ts';
import { keyOfSecret, signedHeaders } from './sign.ts';
import { disableWebhook, insertEventFor } from './store.ts';

/** Of a receiver, by one process. */
const abreast = 4;
/** What processes tell each other: that something waits for a webhook. */
const topic = 'webhook ';

/** What happened: ids and states, never params or values. */
export type Event = {
  readonly type: WebhookEvent;
  readonly tenantId: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type Webhooks = Service & {
  /** In the transaction of what happened: whoever wants to hear of it will, exactly when that is committed. */
  readonly emit: (db: Queryable, event: Event) => Promise<void>;
  /** In a transaction: deliveries that were made for these webhooks are sent as soon as that is committed. */
  readonly send: (db: Queryable, webhookIds: readonly string[]) => Promise<void>;
  /** The key that a webhook's messages are signed with. */
  readonly keyOf: (webhook: { readonly tenantId: string; readonly id: string }) => Promise<Buffer>;
};

export type WebhookParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly signals: Signals;
  readonly post: Post;
  /** One secret for all, where the operator set it. */
  readonly sharedSecret: string | null;
  readonly now: () => Date;
  readonly log: Logger;
};

/** Delivers what happened at least once, each receiver at its own pace: who is slow or dead holds up itself alone. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { pool, signals, now } = parts;
  const keyOf = webhookKeys(parts);
  const lanes = startLanes(
    {
      abreast,
      waiting: (but) => findWaiting(pool, but),
      take: (webhookId) => claimDue(pool, webhookId),
      work: (due) => deliver(parts, keyOf, due),
    },
    parts.log,
  );
  signals.on((signal) => {
    if (signal?.startsWith(topic)) lanes.look(signal.slice(topic.length));
  });

  const send: Webhooks['send'] = async (db, webhookIds) => {
    for (const id of webhookIds) await signals.tell(db, topic + id);
  };

  return {
    keyOf,
    send,
    emit: async (db, { type, tenantId, data }) => {
      const at = now();
      const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
      await send(db, await insertEventFor(db, { id: randomUUID(), tenantId, type, body, at }));
    },
    stop: lanes.stop,
  };
}

async function deliver(
  { pool, post, now }: WebhookParts,
  keyOf: Webhooks['keyOf'],
  due: DueDelivery,
): Promise<void> {
  const timestamp = Math.floor(now().getTime() / 1000);
  const key = await keyOf({ tenantId: due.tenantId, id: due.webhookId }).catch(async (error: unknown) => {
    await unclaim(pool, due);
    throw error;
  });
  const { kind, outcome, retryAfter } = await post(
    due.url,
    due.body,
    signedHeaders(key, due.eventId, timestamp, due.body),
  );
  const chance = randomInt(1000) / 1000;
  const waitMs = kind === 'failed' ? delayAfter(due.attempts + 1, chance, retryAfter) : null;
  const state = kind === 'delivered' ? 'delivered' : waitMs === null ? 'exhausted' : 'waiting';
  await noteAttempt(pool, due, { state, outcome, at: now(), waitMs });
  if (kind === 'gone') await disableWebhook(pool, due.webhookId, 'the receiver answered 410 Gone');
}

/** Keys are made by the enclave, each for its webhook alone, and stand in no table. */
function webhookKeys({ enclave, sharedSecret }: WebhookParts): Webhooks['keyOf'] {
  const known = new Map<string, Buffer>();
  return async ({ tenantId, id }) => {
    if (sharedSecret !== null) return keyOfSecret(sharedSecret);
    const found = known.get(id);
    if (found !== undefined) return found;
    const answer = await enclave.call('control.webhookKey', { tenantId, webhookId: id });
    if (!answer.ok) throw new Error(`the enclave refused control.webhookKey: ${answer.error.code}`);
    known.set(id, answer.value.body);
    return answer.value.body;
  };
}
