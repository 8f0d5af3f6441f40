import { z } from 'zod';
import { frameDigest, leftOnce, whatLeft } from './left.ts';
import { operationTypes } from './operation.ts';
import { operationReview } from './review.ts';

/** The wire format of browser sessions (spec: vault.sandbox). */

export const sessionStatus = z.enum(['active', 'paused', 'closed', 'expired']);
export type SessionStatus = z.infer<typeof sessionStatus>;

/** Who paused a session: somebody who logged in, after which only people resume it, or a generated token. */
export const pausedBy = z.enum(['person', 'agent']);
export type PausedBy = z.infer<typeof pausedBy>;

/** `auto`: the review decides when a person is asked; `human`: fills, submissions and scripts wait; `never`: nobody is asked. */
export const approvalMode = z.enum(['auto', 'human', 'never']);

/** Why a session is over. `alarm`: a decoy was seen where it does not belong. */
export const closeReason = z.enum(['asked', 'expired', 'alarm', 'crashed', 'out_of_memory', 'enclave_gone']);
export type CloseReason = z.infer<typeof closeReason>;

/** How a session's browser is isolated; each member as measured, not as requested. */
export const sandboxIsolation = z.strictObject({
  /** `full`: own network namespace, whose only way out is the egress proxy. */
  level: z.enum(['full', 'weaker']),
  network_namespace: z.boolean(),
  own_user: z.boolean(),
  process_namespace: z.boolean(),
  /** The browser's own sandbox around what shows pages. */
  chromium_sandbox: z.boolean(),
  memory_cap: z.enum(['cgroup', 'rlimit', 'none']),
  cpu_cap: z.enum(['cgroup', 'none']),
  tool: z.enum(['bubblewrap', 'unshare', 'none']),
});
export type SandboxIsolation = z.infer<typeof sandboxIsolation>;

export const operationStatus = z.enum(['executed', 'rejected', 'pending_approval', 'failed']);
export type OperationStatus = z.infer<typeof operationStatus>;

/** Tells the agent why an operation `failed`. It never contains text of the page. */
export const operationProblem = z.strictObject({
  code: z.enum([
    'no_such_element',
    'not_editable',
    'not_visible',
    'navigation_failed',
    'out_of_scope',
    'script_failed',
    'timeout',
    'held',
    'not_permitted',
    'interrupted',
  ]),
  message: z.string(),
});
export type OperationProblem = z.infer<typeof operationProblem>;

/** Answer of `execute`; a rejection is a result. */
export const operationResult = z.strictObject({
  operation_id: z.uuid(),
  status: operationStatus,
  /** Text of `extract`, JSON of `execute_script`; null otherwise. Masked. */
  result: z.unknown(),
  /** Only with `failed`. */
  error: operationProblem.optional(),
  review: operationReview,
  audit_id: z.string(),
  /** Set if the answer contains content of the page: `result` as it left. */
  left: leftOnce.optional(),
  duration_ms: z.number().min(0),
});
export type OperationResult = z.infer<typeof operationResult>;

export const exportFormat = z.enum(['json', 'csv', 'text']);

/** Requests about a page other than operations. `watch` is its live view. */
export const pageRequest = z.discriminatedUnion('operation_type', [
  z.strictObject({ operation_type: z.literal('screenshot'), full_page: z.boolean() }),
  z.strictObject({
    operation_type: z.literal('export'),
    selector: z.string().optional(),
    format: exportFormat,
  }),
  z.strictObject({ operation_type: z.literal('watch') }),
]);
export type PageRequest = z.infer<typeof pageRequest>;
export const decision = z.enum(['approve', 'reject']);

const at = z.iso.datetime();
const operation_id = z.uuid();

/** Events that a session's WebSocket sends. They are masked like every answer. */
export const sessionEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('operation.started'),
    at,
    operation_id,
    operation_type: z.enum(operationTypes),
  }),
  z.strictObject({ type: z.literal('operation.reviewed'), at, operation_id, review: operationReview }),
  z.strictObject({
    type: z.literal('operation.finished'),
    at,
    operation_id,
    status: operationStatus,
    audit_id: z.string(),
    duration_ms: z.number().min(0),
  }),
  z.strictObject({ type: z.literal('approval.requested'), at, operation_id, review: operationReview }),
  z.strictObject({ type: z.literal('approval.received'), at, operation_id, decision }),
  z.strictObject({
    type: z.literal('session.state'),
    at,
    status: sessionStatus,
    current_url: z.string().nullable(),
    paused_by: pausedBy.optional(),
    closed_reason: closeReason.optional(),
  }),
  /** A screenshot, an export, or all pictures of the live view that one watcher got since it began. */
  z.strictObject({
    type: z.literal('content.left'),
    at,
    operation_id,
    /** The actor's name in the records. */
    actor: z.string(),
    agent_did: z.string().nullable(),
    operation: pageRequest,
    /** Id of the record of its start. */
    audit_id: z.string(),
    left: whatLeft,
  }),
  /** Only while somebody watches: PNG in base64, secret fields painted over. */
  z.strictObject({
    type: z.literal('frame'),
    at,
    image: z.base64(),
    width: z.int().min(1),
    height: z.int().min(1),
    ...frameDigest,
  }),
]);
export type SessionEvent = z.infer<typeof sessionEvent>;
