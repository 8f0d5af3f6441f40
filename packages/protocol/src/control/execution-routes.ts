import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { page } from '../vault/fields.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { executionProblem, executionStatus, hitlDecision, signedReceipt } from './execution.ts';
import { digest, name, time } from './fields.ts';
import { request } from './request.ts';

const newExecution = z.strictObject({
  policy_id: name,
  ...request,
  mode: z.enum(['sync', 'async']).default('sync'),
  /** How long it may run, from its start; waiting for a person is not counted. */
  timeout_seconds: z.int().min(1).max(900).default(30),
});
export type NewExecution = z.output<typeof newExecution>;

/** What a person is asked, and what was said so far. */
const approval = z.object({
  quorum: z.int(),
  /** Names of approver keys or addresses of wallets; `*` is any approver key. */
  approvers: z.array(name),
  expires_at: time,
  decisions: z.array(hitlDecision.extend({ comment: z.string().optional() })),
});

export const execution = z.object({
  execution_id: z.uuid(),
  status: executionStatus,
  /** What the service answered; null before it did. */
  data: z.unknown(),
  /** The receipt, once it ended. */
  proof: signedReceipt.nullable(),
  /** `auditId` of its newest record. */
  audit_ref: z.string(),
  policy_id: name,
  policy_version: z.int(),
  /** Of the run itself, in milliseconds; 0 where nothing ran. */
  duration_ms: z.int(),
  /** The single-use token under which it ran; null before. */
  action_token: z.object({ jti: z.uuid(), exp: time, spent_at: time }).nullable(),
  error: executionProblem.nullable(),
  user_id: name,
  service: name,
  action: name,
  params_hash: digest,
  risk_tier: z.string().nullable(),
  /** Ids of the statements of the policy that decided. */
  determining: z.array(z.string()),
  /** Null where nobody was asked. */
  approval: approval.nullable(),
  mode: z.enum(['sync', 'async']),
  created_by: name,
  created_at: time,
  ended_at: time.nullable(),
});
export type Execution = z.output<typeof execution>;

/** Executions: document 3, Endpoints B; page 3, Part B. */
export const executionRoutes = {
  createExecution: {
    method: 'POST',
    path: '/v1/executions',
    auth: 'key',
    scope: 'execute',
    summary: 'Have an action done under a policy; 202 while a person is waited for, or where it is async',
    body: newExecution,
    data: execution,
    accepted: true,
    idempotent: true,
    refusals: ['not_found', 'idempotency_key_in_use', 'idempotency_key_reused'],
  },
  listExecutions: {
    method: 'GET',
    path: '/v1/executions',
    auth: 'key',
    scope: 'read',
    summary: 'Executions of the tenant, newest first, without what they were answered',
    query: z.object({ status: executionStatus.optional(), ...page }),
    data: z.object({ items: z.array(execution.omit({ data: true, proof: true })), total: z.int() }),
  },
  getExecution: {
    method: 'GET',
    path: '/v1/executions/:execution_id',
    auth: 'key',
    scope: 'read',
    summary: 'One execution with its params and, once it ended, its result',
    data: execution.extend({ params: z.unknown() }),
    refusals: ['not_found'],
  },
  cancelExecution: {
    method: 'POST',
    path: '/v1/executions/:execution_id/cancel',
    auth: 'key',
    scope: 'execute',
    summary: 'End an execution that does not run yet; it never will',
    data: execution,
    refusals: ['not_found', 'conflict'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
