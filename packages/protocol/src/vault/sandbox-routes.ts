import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { VaultCode } from './codes.ts';
import { place } from './credential-use.ts';
import type { VaultAuth } from './dialect.ts';
import { agentDid, page } from './fields.ts';
import { operationTypes } from './operation.ts';
import { operationReview } from './review.ts';
import {
  approvalMode,
  closeReason,
  decision,
  exportFormat,
  operationResult,
  pausedBy,
  sandboxIsolation,
  sessionEvent,
  sessionStatus,
} from './sandbox.ts';
import { allowedUrls } from './url-scope.ts';

const time = z.iso.datetime();

const newSession = z.strictObject({
  credential_ids: z
    .array(z.uuid())
    .max(16)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each credential once'),
  /** What the agent is to do, in the owner's words: the review holds operations against it. */
  task: z.string().trim().min(1).max(2000),
  allowed_urls: allowedUrls,
  start_url: z
    .url({ protocol: /^https?$/ })
    .max(4096)
    .optional(),
  agent_did: agentDid.optional(),
  ttl_seconds: z.int().min(10).max(86_400).default(900),
  approval: approvalMode.default('auto'),
});
export type NewSession = z.output<typeof newSession>;

const sessionInfo = z.object({
  id: z.uuid(),
  status: sessionStatus,
  task: z.string(),
  allowed_urls: z.array(z.string()),
  credential_ids: z.array(z.uuid()),
  agent_did: z.string().nullable(),
  approval: approvalMode,
  created_at: time,
  expires_at: time,
  /** Masked; null before the first page. */
  current_url: z.string().nullable(),
  isolation: sandboxIsolation,
  /** Operations that wait for a person. */
  pending_approvals: z.array(z.uuid()),
  /** While it is paused. */
  paused_by: pausedBy.optional(),
  closed_reason: closeReason.optional(),
});
export type SessionInfo = z.output<typeof sessionInfo>;

/** One line of a session's operation log, as anyone who may read the session sees it. */
const operationEntry = z.object({
  ...operationResult.shape,
  /** Both null where it was cut off before: by the end of a process or of the session. */
  review: operationReview.nullable(),
  audit_id: z.string().nullable(),
  operation_type: z.enum(operationTypes),
  selector: z.string().nullable(),
  /** As the agent wrote it: placeholders, never values. */
  value: z.string().nullable(),
  at: time,
  /** Who decided, where a person did. */
  decided_by: z.string().nullable(),
});
export type OperationEntry = z.output<typeof operationEntry>;

/** Browser sessions: document 3, Endpoints A; page 3, Sandbox sessions. */
export const sandboxRoutes = {
  createSession: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Open a browser of its own for a task, with credentials that the agent never sees',
    body: newSession,
    data: sessionInfo,
    created: true,
    refusals: ['not_found', 'credential_expired'],
  },
  listSessions: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'Sessions, newest first',
    query: z.object({ status: sessionStatus.optional(), ...page }),
    data: z.object({ items: z.array(sessionInfo), total: z.int() }),
  },
  getSession: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions/:id',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'One session',
    data: sessionInfo,
    refusals: ['not_found'],
  },
  executeOperation: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/execute',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Review one operation and run it; a rejection is a result',
    /** Read again by its `operation_type`. */
    body: z.strictObject({
      operation_type: z.enum(operationTypes),
      selector: z.string().max(4096).nullish(),
      value: z.union([z.string().max(65_536), z.int().min(0)]).nullish(),
      credential_id: z.uuid().nullish(),
    }),
    data: operationResult,
    refusals: ['not_found', 'credential_expired'],
  },
  listOperations: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions/:id/operations',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'What was done in a session, newest first, with what the review said',
    query: z.object(page),
    data: z.object({ items: z.array(operationEntry), total: z.int() }),
    refusals: ['not_found'],
  },
  watchSession: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions/:id/events',
    auth: 'bearer',
    scope: 'credential:read',
    summary:
      'Progress as it happens, over a WebSocket; browsers show their token as the subprotocol bearer.<token>',
    /** 1: a picture about once a second, too. */
    query: z.object({ frames: z.enum(['0', '1']).default('0') }),
    data: sessionEvent,
    socket: true,
    refusals: ['not_found', 'insufficient_scope'],
  },
  takeScreenshot: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/screenshot',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'A picture of the page, secret fields painted over',
    body: z.strictObject({ full_page: z.boolean().default(false) }),
    data: z.object({
      /** PNG. */
      image: z.base64(),
      width: z.int(),
      height: z.int(),
      audit_id: z.string(),
    }),
    refusals: ['not_found'],
  },
  exportData: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/export',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Tables, lists and text of the page as data, masked',
    body: z.strictObject({ selector: z.string().min(1).max(4096).optional(), format: exportFormat }),
    data: z.object({
      /** JSON with `json`, a text otherwise. */
      data: z.unknown(),
      audit_id: z.string(),
    }),
    refusals: ['not_found'],
  },
  pauseSession: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/pause',
    auth: 'bearer',
    scope: 'credential:use',
    summary:
      'Let nothing more happen until it is resumed; what a person paused, only a log-in of a person resumes',
    data: sessionInfo,
    refusals: ['not_found'],
  },
  resumeSession: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/resume',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Go on after a pause; what a person paused, only a log-in of a person resumes',
    data: sessionInfo,
    refusals: ['not_found', 'insufficient_scope'],
  },
  closeSession: {
    method: 'DELETE',
    path: '/api/v1/sandbox/sessions/:id',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Close a session and destroy its browser with all that it kept',
    data: sessionInfo,
    refusals: ['not_found'],
  },
  getApproval: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions/:id/approvals/:operation_id',
    auth: 'bearer',
    summary: 'What a person is asked about, with the page as it was then: for log-ins of people alone',
    data: z.object({
      operation_id: z.uuid(),
      operation: z.object({
        type: z.enum(operationTypes),
        selector: z.string().nullable(),
        /** As the agent wrote it: placeholders, never values. */
        value: z.string().nullable(),
      }),
      review: operationReview.nullable(),
      /** Where a secret would go. */
      place: place.optional(),
      /** PNG, secret fields painted over, what the operation would act on outlined; null where there is none. */
      image: z.base64().nullable(),
      requested_at: time,
    }),
    refusals: ['not_found', 'insufficient_scope'],
  },
  decideOperation: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/approvals/:operation_id',
    auth: 'bearer',
    summary:
      'Let an operation that waits for a person run, or not: by a log-in of the session’s owner or of an admin',
    body: z.strictObject({ decision }),
    data: operationResult,
    refusals: ['not_found', 'insufficient_scope', 'credential_expired'],
  },
} as const satisfies RouteTable<VaultCode, VaultAuth>;
