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
import { validGenerations } from './secrets.ts';
import { keyOfSecret, signedHeaders } from './sign.ts';
import { disableWebhook, insertEventFor } from './store.ts';

/** Concurrent deliveries to one receiver, for each process. */
const abreast = 4;
/** Prefix of the signal that a webhook has deliveries waiting. */
const topic = 'webhook ';

/** An event: ids and states, never params or values. */
export type Event = {
  readonly type: WebhookEvent;
  readonly tenantId: string;
  readonly data: Readonly<Record<string, unknown>>;
};

type Keyed = { readonly tenantId: string; readonly id: string; readonly rolledAt: readonly Date[] };

export type Webhooks = Service & {
  /** Emits an event in the transaction that causes it: subscribers get it exactly if that commits. */
  readonly emit: (db: Queryable, event: Event) => Promise<void>;
  /** Has deliveries for these webhooks sent as soon as the transaction commits. */
  readonly send: (db: Queryable, webhookIds: readonly string[]) => Promise<void>;
  /** The keys that a webhook's messages are signed with now, the newest first. */
  readonly keysOf: (webhook: Keyed) => Promise<readonly Buffer[]>;
};

export type WebhookParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly signals: Signals;
  readonly post: Post;
  /** Secrets for all, the newest first, where the operator set them. */
  readonly sharedSecrets: readonly string[];
  readonly now: () => Date;
  readonly log: Logger;
};

/** Delivers what happened at least once, each receiver at its own pace: who is slow or dead holds up itself alone. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { pool, signals, now } = parts;
  const keysOf = webhookKeys(parts);
  const lanes = startLanes(
    {
      abreast,
      waiting: (but) => findWaiting(pool, but),
      take: (webhookId) => claimDue(pool, webhookId),
      work: (due) => deliver(parts, keysOf, due),
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
    keysOf,
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
  keysOf: Webhooks['keysOf'],
  due: DueDelivery,
): Promise<void> {
  const timestamp = Math.floor(now().getTime() / 1000);
  const keys = await keysOf({ ...due, id: due.webhookId }).catch(async (error: unknown) => {
    await unclaim(pool, due);
    throw error;
  });
  const { kind, outcome, retryAfter } = await post(
    due.url,
    due.body,
    signedHeaders(keys, due.eventId, timestamp, due.body),
  );
  const chance = randomInt(1000) / 1000;
  const waitMs = kind === 'failed' ? delayAfter(due.attempts + 1, chance, retryAfter) : null;
  const state = kind === 'delivered' ? 'delivered' : waitMs === null ? 'exhausted' : 'waiting';
  await noteAttempt(pool, due, { state, outcome, at: now(), waitMs });
  if (kind === 'gone') await disableWebhook(pool, due.webhookId, 'the receiver answered 410 Gone');
}

/** Keys are made by the enclave, each for its webhook alone, and stand in no table. */
function webhookKeys({ enclave, sharedSecrets, now }: WebhookParts): Webhooks['keysOf'] {
  const known = new Map<string, Buffer>();
  const keyOf = async (tenantId: string, webhookId: string, generation: number) => {
    const found = known.get(`${webhookId}/${generation}`);
    if (found !== undefined) return found;
    const answer = await enclave.call('control.webhookKey', { tenantId, webhookId, generation });
    if (!answer.ok) throw new Error(`the enclave refused control.webhookKey: ${answer.error.code}`);
    known.set(`${webhookId}/${generation}`, answer.value.body);
    return answer.value.body;
  };
  return async ({ tenantId, id, rolledAt }) =>
    sharedSecrets.length > 0
      ? sharedSecrets.map(keyOfSecret)
      : Promise.all(validGenerations(rolledAt, now()).map((generation) => keyOf(tenantId, id, generation)));
}
