import { randomInt, randomUUID } from 'node:crypto';
import type { WebhookEvent } from '@countersign/protocol/control/webhook-routes';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { Enclave } from '../enclave.ts';
import type { Jobs } from '../jobs.ts';
import type { Outcome, Post } from './post.ts';
import { delayAfter } from './schedule.ts';
import { keyOfSecret, signedHeaders } from './sign.ts';
import { disableWebhook, type DueDelivery, findDue, insertEventFor, noteAttempt } from './store.ts';

const queue = 'webhook';

/** What happened: ids and states, never params or values. */
export type Event = {
  readonly type: WebhookEvent;
  readonly tenantId: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type Webhooks = {
  /** In the transaction of what happened: whoever wants to hear of it will, exactly when that is committed. */
  readonly emit: (db: Queryable, event: Event) => Promise<void>;
  /** In a transaction: sends deliveries that were just made. */
  readonly send: (
    db: Queryable,
    deliveries: readonly { readonly id: string; readonly webhookId: string }[],
  ) => Promise<void>;
  /** The key that a webhook's messages are signed with. */
  readonly keyOf: (webhook: { readonly tenantId: string; readonly id: string }) => Promise<Buffer>;
};

export type WebhookParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly jobs: Jobs;
  readonly post: Post;
  /** One secret for all, where the operator set it. */
  readonly sharedSecret: string | null;
  readonly now: () => Date;
};

/** Delivers what happened at least once, each receiver at its own pace. */
export async function createWebhooks(parts: WebhookParts): Promise<Webhooks> {
  const { pool, jobs, now } = parts;
  const keyOf = webhookKeys(parts);
  const send: Webhooks['send'] = async (db, deliveries) => {
    for (const { id, webhookId } of deliveries)
      await jobs.add(db, queue, { deliveryId: id }, { group: webhookId });
  };

  await jobs.work(queue, async ({ deliveryId = '' }) => {
    const due = await findDue(pool, deliveryId);
    if (due === null) return;
    const key = await keyOf({ tenantId: due.tenantId, id: due.webhookId });
    const timestamp = Math.floor(now().getTime() / 1000);
    const outcome = await parts.post(due.url, due.body, signedHeaders(key, due.eventId, timestamp, due.body));
    await inTransaction(pool, (db) => settle(db, due, outcome));
  });

  async function settle(db: Queryable, due: DueDelivery, { kind, outcome, retryAfter }: Outcome) {
    const at = now();
    const waitMs =
      kind === 'failed' ? delayAfter(due.attempts + 1, randomInt(1000) / 1000, retryAfter) : null;
    const state = kind === 'delivered' ? 'delivered' : waitMs === null ? 'exhausted' : 'waiting';
    await noteAttempt(db, due.id, { state, outcome, at });
    if (kind === 'gone') await disableWebhook(db, due.webhookId, 'the receiver answered 410 Gone');
    if (waitMs === null) return;
    const next = new Date(at.getTime() + waitMs);
    await jobs.add(db, queue, { deliveryId: due.id }, { at: next, group: due.webhookId });
  }

  return {
    keyOf,
    send,
    emit: async (db, { type, tenantId, data }) => {
      const at = now();
      const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
      await send(db, await insertEventFor(db, { id: randomUUID(), tenantId, type, body, at }));
    },
  };
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
