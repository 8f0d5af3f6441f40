import { randomUUID } from 'node:crypto';
import type { webhookRoutes } from '@countersign/protocol/control/webhook-routes';
import { ok } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { ControlHandlers } from '../callers.ts';
import { isUuid } from '@countersign/service/uuid';
import { refusal } from '../refusal.ts';
import { isPrivateTarget } from './private-target.ts';
import { maxValid, overlapMs, validGenerations } from './secrets.ts';
import { secretText } from './sign.ts';
import {
  deleteWebhook,
  enableWebhook,
  findWebhook,
  holdWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  noteRolled,
  replayDeliveries,
  showWebhook,
} from './store.ts';
import type { Webhooks } from './webhooks.ts';

type WebhookHandlers = Pick<ControlHandlers, keyof typeof webhookRoutes>;

export type WebhookRouteParts = {
  readonly pool: Pool;
  readonly webhooks: Pick<Webhooks, 'send' | 'keysOf'>;
  readonly sharedSecrets: readonly string[];
  readonly allowPrivate: boolean;
  readonly now: () => Date;
};

const noSuchWebhook = refusal('not_found', 'webhook not found');

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
      const secret = await secretOf(parts, { ...about, rolledAt: [] });
      await insertWebhook(pool, about);
      return ok({ ...showWebhook({ ...about, disabledBecause: null }), secret });
    },

    async listWebhooks({ query, caller }) {
      const { items, total } = await listWebhooks(pool, caller.tenantId, query);
      return ok({ items: items.map(showWebhook), total });
    },

    rollWebhookSecret: rollSecret(parts),

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
      if (eventId !== null && !isUuid(eventId)) return refusal('not_found', 'event not found');
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

/** The newest secret, as its receiver is shown it. */
async function secretOf(
  { webhooks, sharedSecrets }: WebhookRouteParts,
  webhook: Parameters<Webhooks['keysOf']>[0],
): Promise<string> {
  const [key = Buffer.alloc(0)] = await webhooks.keysOf(webhook);
  return sharedSecrets[0] ?? secretText(key);
}

const rollSecret =
  (parts: WebhookRouteParts): WebhookHandlers['rollWebhookSecret'] =>
  async ({ params: { id = '' }, caller }) => {
    const { pool, sharedSecrets, now } = parts;
    if (sharedSecrets.length > 0)
      return refusal(
        'conflict',
        'the operator’s secret signs for all webhooks; to rotate it, set two in WEBHOOK_SECRET',
      );
    if (!isUuid(id)) return noSuchWebhook;
    return inTransaction(
      pool,
      async (db): Promise<Awaited<ReturnType<WebhookHandlers['rollWebhookSecret']>>> => {
        const held = await holdWebhook(db, caller.tenantId, id);
        if (held === null) return noSuchWebhook;
        const at = now();
        if (validGenerations(held.rolledAt, at).length >= maxValid)
          return refusal(
            'conflict',
            `${maxValid} secrets can be valid at a time: wait until one is 24 hours old`,
          );
        await noteRolled(db, id, at);
        const secret = await secretOf(parts, { ...held, rolledAt: [...held.rolledAt, at] });
        const previous_valid_until = new Date(at.getTime() + overlapMs).toISOString();
        return ok({ ...showWebhook(held), secret, previous_valid_until });
      },
    );
  };

function whyNotTo(url: string) {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') return refusal('invalid_request', 'url: must begin with https://');
  return isPrivateTarget(hostname)
    ? refusal('invalid_request', 'url: must not lead to a private address; WEBHOOK_ALLOW_PRIVATE=1 allows it')
    : null;
}
