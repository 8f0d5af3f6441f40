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
  /** Time limit of the run in seconds, from its start; time spent waiting for a person does not count. */
  timeout_seconds: z.int().min(1).max(900).default(30),
});
export type NewExecution = z.output<typeof newExecution>;

/** Types of the records that tell how an execution went. */
export const recordedOfExecutions = [
  'execution_requested',
  'human_approval_requested',
  'human_approval_received',
  'execution_started',
  'execution_ended',
  /** Its action token was refused. */
  'policy_rejected',
] as const;

/** The question put to people, and their decisions so far. */
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
  /** The service's response; null until there is one. */
  data: z.unknown(),
  /** HTTP status that the service answered with; null before, where none was heard, and where the connector speaks no HTTP. */
  target_status: z.int().nullable(),
  /** The receipt, once it ended. */
  proof: signedReceipt.nullable(),
  /** `auditId` of its newest record. */
  audit_ref: z.string(),
  /**
   * Ids of all its audit records, oldest first. Records of its browser session are found by `sessionId`, the
   * receipt's `sandbox_id`.
   */
  audit_refs: z.array(z.string()),
  policy_id: name,
  policy_version: z.int(),
  /** Duration of the run itself, in milliseconds; 0 if nothing ran. */
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

/** Executions are asked for, looked up and listed (spec: control-plane.execution). */
export const executionRoutes = {
  createExecution: {
    method: 'POST',
    path: '/v1/executions',
    auth: 'key',
    scope: 'execute',
    summary: 'Execute an action under a policy; 202 while it waits for approval, or if it is async',
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
    summary: 'List the tenant’s executions, newest first, without their results',
    query: z.object({
      status: executionStatus.optional(),
      execution_id: z.uuid().optional(),
      policy_id: name.optional(),
      user_id: name.optional(),
      service: name.optional(),
      /** Those that have a record of this type. */
      event_type: z.enum(recordedOfExecutions).optional(),
      ...page,
    }),
    data: z.object({
      items: z.array(execution.omit({ data: true, proof: true, audit_refs: true })),
      total: z.int(),
    }),
  },
  getExecution: {
    method: 'GET',
    path: '/v1/executions/:execution_id',
    auth: 'key',
    scope: 'read',
    summary: 'Get an execution with its params and, once it has ended, its result',
    data: execution.extend({ params: z.unknown() }),
    refusals: ['not_found'],
  },
  cancelExecution: {
    method: 'POST',
    path: '/v1/executions/:execution_id/cancel',
    auth: 'key',
    scope: 'execute',
    summary:
      'Cancel an execution that is not running yet; it will never run. If an attempt was interrupted, it ends as outcome_unknown',
    data: execution,
    refusals: ['not_found', 'conflict'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
