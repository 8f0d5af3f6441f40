import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { page } from '../vault/fields.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { name, time } from './fields.ts';

const newBatch = z.strictObject({
  policy_id: name,
  /** Absent or null: of any user. */
  user_id: name.nullish(),
  service: name,
  action: name,
  /** Cedar, over `context.params`; absent or null: whatever they are. */
  condition: z.string().trim().min(1).max(4096).nullish(),
  max_executions: z.int().min(1).max(1_000_000),
  expires_at: z.iso.datetime({ offset: true }),
});
export type NewBatch = z.output<typeof newBatch>;

const batch = z.object({
  batch_id: z.uuid(),
  policy_id: name,
  /** It holds for this version alone: what a later one asks is asked again. */
  policy_version: z.int(),
  user_id: name.nullable(),
  service: name,
  action: name,
  condition: z.string().nullable(),
  max_executions: z.int(),
  used: z.int(),
  expires_at: time,
  state: z.enum(['active', 'exhausted', 'expired', 'revoked']),
  created_by: name,
  created_at: time,
});
export type Batch = z.output<typeof batch>;

/** Executions inside the window of a batch need no person (spec: control-plane.batch). */
export const batchRoutes = {
  createBatch: {
    method: 'POST',
    path: '/v1/batch-authorizations',
    auth: 'key',
    scope: 'decide',
    summary:
      'Create a batch authorization: approve a number of executions in advance, until a set time, where a condition holds',
    body: newBatch,
    data: batch,
    created: true,
    refusals: ['not_found', 'invalid_policy', 'not_an_approver'],
  },
  listBatches: {
    method: 'GET',
    path: '/v1/batch-authorizations',
    auth: 'key',
    scope: 'read',
    summary: 'List batch authorizations, newest first',
    query: z.object(page),
    data: z.object({ items: z.array(batch), total: z.int() }),
  },
  getBatch: {
    method: 'GET',
    path: '/v1/batch-authorizations/:id',
    auth: 'key',
    scope: 'read',
    summary: 'Get a batch authorization and how much of it is used',
    data: batch,
    refusals: ['not_found'],
  },
  revokeBatch: {
    method: 'DELETE',
    path: '/v1/batch-authorizations/:id',
    auth: 'key',
    scope: 'decide',
    summary: 'Revoke a batch authorization; executions need approval again',
    data: batch,
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
