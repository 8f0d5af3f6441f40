import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { page } from '../vault/fields.ts';
import { time } from './fields.ts';

/** Events that a webhook can be told of (spec: control-plane.webhook). */
export const webhookEvents = [
  'execution.created',
  'execution.pending_hitl',
  'execution.approved',
  'execution.denied',
  'execution.completed',
  'execution.failed',
  'execution.expired',
  'execution.cancelled',
  'policy.created',
  'credential.created',
  /** Once for each due date; what is overdue stays so until a new value is in use. */
  'credential.rotation_due',
  /** The next value is in use. */
  'credential.rotated',
  /** The value before is in use; or (`state` unresolved) nobody knows which is valid. */
  'credential.rotation_failed',
  'batch.exhausted',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const webhook = z.object({
  webhook_id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  created_at: time,
  /** Why nothing is sent any more; null while it is. */
  disabled_because: z.string().nullable(),
});
export type Webhook = z.output<typeof webhook>;

const delivery = z.object({
  delivery_id: z.uuid(),
  /** Equals the header `webhook-id`: the same for each attempt and for a replay. */
  event_id: z.string(),
  type: z.enum(webhookEvents),
  state: z.enum(['waiting', 'delivered', 'exhausted']),
  attempts: z.int(),
  /** HTTP status of the last answer, or why there was none. */
  last_outcome: z.string().nullable(),
  last_at: time.nullable(),
});
export type WebhookDelivery = z.output<typeof delivery>;

export const webhookRoutes = {
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    auth: 'key',
    scope: 'write',
    summary: 'Create a webhook, signed as Standard Webhooks prescribes; the secret is shown once',
    body: z.strictObject({
      url: z.url({ protocol: /^https?$/ }).max(2048),
      events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
    }),
    data: webhook.extend({ secret: z.string() }),
    created: true,
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    auth: 'key',
    scope: 'read',
    summary: 'List webhooks, oldest first, without their secrets',
    query: z.object(page),
    data: z.object({ items: z.array(webhook), total: z.int() }),
  },
  rollWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/:id/roll',
    auth: 'key',
    scope: 'write',
    summary:
      'Rotate the secret, which is shown once; for 24 hours messages are signed with the new and the old secret',
    data: webhook.extend({ secret: z.string(), previous_valid_until: time }),
    refusals: ['not_found', 'conflict'],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    auth: 'key',
    scope: 'write',
    summary: 'Delete a webhook and its pending messages',
    data: z.object({ webhook_id: z.uuid(), deleted: z.literal(true) }),
    refusals: ['not_found'],
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    auth: 'key',
    scope: 'read',
    summary: 'List the deliveries of a webhook and their outcomes, newest first',
    query: z.object(page),
    data: z.object({ items: z.array(delivery), total: z.int() }),
    refusals: ['not_found'],
  },
  replayWebhook: {
    method: 'POST',
    path: '/v1/webhooks/:id/replay',
    auth: 'key',
    scope: 'write',
    summary: 'Redeliver one event, all events since a time, or the newest; this retries a disabled webhook',
    body: z.strictObject({ event_id: z.string().max(64).optional(), since: time.optional() }),
    data: z.object({ webhook_id: z.uuid(), replayed: z.int() }),
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
