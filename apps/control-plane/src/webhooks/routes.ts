import { randomUUID } from 'node:crypto';
import type { webhookRoutes } from '@countersign/protocol/control/webhook-routes';
import { ok } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { ControlHandlers } from '../callers.ts';
import { isUuid } from '@countersign/service/uuid';
import { refusal } from '../refusal.ts';
import { isPrivateTarget } from './private-target.ts';
import { secretText } from './sign.ts';
import {
  deleteWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  replayDeliveries,
  showWebhook,
} from './store.ts';
import type { Webhooks } from './webhooks.ts';

type WebhookHandlers = Pick<ControlHandlers, keyof typeof webhookRoutes>;

export type WebhookRouteParts = {
  readonly pool: Pool;
  readonly webhooks: Pick<Webhooks, 'send' | 'keyOf'>;
  readonly sharedSecret: string | null;
  readonly allowPrivate: boolean;
  readonly now: () => Date;
};

const noSuchWebhook = refusal('not_found', 'there is no such webhook');

/** Webhooks: who is told of what, and how that went. */
export function webhookHandlers(parts: WebhookRouteParts): WebhookHandlers {
  const { pool, webhooks, now } = parts;
  const find = (tenantId: string, { id = '' }: Readonly<Record<string, string>>) =>
    isUuid(id) ? findWebhook(pool, tenantId, id) : null;
  return {
    async createWebhook({ body, caller }) {
      const refused = parts.allowPrivate ? null : whyNotTo(body.url);
      if (refused !== null) return refused;
      const { tenantId, name: createdBy } = caller;
      const about = {
        id: randomUUID(),
        tenantId,
        url: body.url,
        events: body.events,
        createdBy,
        createdAt: now(),
      };
      const key = await webhooks.keyOf(about);
      await insertWebhook(pool, about);
      const secret = parts.sharedSecret ?? secretText(key);
      return ok({ ...showWebhook({ ...about, disabledBecause: null }), secret });
    },

    async listWebhooks({ query, caller }) {
      const { items, total } = await listWebhooks(pool, caller.tenantId, query);
      return ok({ items: items.map(showWebhook), total });
    },

    async deleteWebhook({ params, caller }) {
      const webhook = await find(caller.tenantId, params);
      if (webhook === null || !(await deleteWebhook(pool, caller.tenantId, webhook.id))) return noSuchWebhook;
      return ok({ webhook_id: webhook.id, deleted: true as const });
    },

    async listDeliveries({ params, query, caller }) {
      const webhook = await find(caller.tenantId, params);
      return webhook === null ? noSuchWebhook : ok(await listDeliveries(pool, webhook.id, query));
    },

    async replayWebhook({ params, body, caller }) {
      const webhook = await find(caller.tenantId, params);
      if (webhook === null) return noSuchWebhook;
      const { event_id: eventId = null, since = null } = body;
      if (eventId !== null && !isUuid(eventId)) return refusal('not_found', 'there is no such event');
      const replayed = await inTransaction(pool, async (db) => {
        await enableWebhook(db, webhook.id);
        const count = await replayDeliveries(db, webhook.id, { eventId, since }, now());
        await webhooks.send(db, [webhook.id]);
        return count;
      });
      return ok({ webhook_id: webhook.id, replayed });
    },
  };
}

function whyNotTo(url: string) {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') return refusal('invalid_request', 'url: must begin with https://');
  return isPrivateTarget(hostname)
    ? refusal('invalid_request', 'url: must not lead to a private address; WEBHOOK_ALLOW_PRIVATE=1 allows it')
    : null;
}
