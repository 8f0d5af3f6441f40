import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { page } from '../vault/fields.ts';
import { time } from './fields.ts';

/** What webhooks may be told of: page 3, Part B, Webhooks. */
export const webhookEvents = [
  'execution.created',
  'execution.pending_hitl',
  'execution.approved',
  'execution.denied',
  'execution.completed',
  'execution.failed',
  'execution.expired',
  'policy.created',
  'credential.created',
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
  /** As in the header `webhook-id`: the same at each attempt, and at a replay. */
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
    summary: 'Be told of events, signed by Standard Webhooks; the secret is shown this once',
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
    summary: 'Webhooks, oldest first, without their secrets',
    query: z.object(page),
    data: z.object({ items: z.array(webhook), total: z.int() }),
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    auth: 'key',
    scope: 'write',
    summary: 'End a webhook with all that it was still to be told',
    data: z.object({ webhook_id: z.uuid(), deleted: z.literal(true) }),
    refusals: ['not_found'],
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    auth: 'key',
    scope: 'read',
    summary: 'What a webhook was told, newest first, and how that went',
    query: z.object(page),
    data: z.object({ items: z.array(delivery), total: z.int() }),
    refusals: ['not_found'],
  },
  replayWebhook: {
    method: 'POST',
    path: '/v1/webhooks/:id/replay',
    auth: 'key',
    scope: 'write',
    summary: 'Tell again: one event, those since a time, or the newest; a disabled webhook is tried again',
    body: z.strictObject({ event_id: z.string().max(64).optional(), since: time.optional() }),
    data: z.object({ webhook_id: z.uuid(), replayed: z.int() }),
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
