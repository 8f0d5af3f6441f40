import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { VaultCode } from './codes.ts';
import { place } from './credential-use.ts';
import type { VaultAuth } from './dialect.ts';
import { agentDid, page } from './fields.ts';
import { leftOnce, whatLeft } from './left.ts';
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
import { allowedUrls } from './allowed-urls.ts';

const time = z.iso.datetime();

const newSession = z.strictObject({
  credential_ids: z
    .array(z.uuid())
    .max(16)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each credential once'),
  /** The agent's task, in the owner's words. The review judges operations against it. */
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
  /**
   * The name in audit records: `user:NAME` for a signed-in person, `user:NAME token:ID` for a token of that
   * account.
   */
  opened_by: z.string().nullable(),
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

/** One entry of a session's operation log, as everybody sees it who may read the session. */
const operationEntry = z.object({
  ...operationResult.shape,
  /** Both null where it was cut off before: by the end of a process or of the session. */
  review: operationReview.nullable(),
  audit_id: z.string().nullable(),
  operation_type: z.enum([...operationTypes, 'screenshot', 'export', 'watch']),
  selector: z.string().nullable(),
  /** As the agent wrote it: placeholders, never values; for an export, its format. */
  value: z.string().nullable(),
  at: time,
  /** Who did it, as audit records name it; null for what was done before this was kept. */
  actor: z.string().nullable(),
  /** The agent that did it. */
  agent_did: z.string().nullable(),
  /** The content that left the session; null if none did. */
  left: whatLeft.nullable(),
  /** Who decided, where a person did. */
  decided_by: z.string().nullable(),
});
export type OperationEntry = z.output<typeof operationEntry>;

/** Browser sessions are opened, used, looked at and closed (spec: vault.sandbox). */
export const sandboxRoutes = {
  createSession: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Open a session: a dedicated browser for a task, with credentials that the agent never sees',
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
    summary: 'List sessions, newest first',
    query: z.object({ status: sessionStatus.optional(), agent_did: agentDid.optional(), ...page }),
    data: z.object({ items: z.array(sessionInfo), total: z.int() }),
  },
  getSession: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions/:id',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'Get a session',
    data: sessionInfo,
    refusals: ['not_found'],
  },
  executeOperation: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/execute',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Review and run one operation; a rejection is also a result',
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
    summary:
      'List a session’s operations and the content that left it, newest first, with the actor and the review',
    query: z.object({
      agent_did: agentDid.optional(),
      /** `user:NAME` is a person who logged in; or `token:ID`. */
      actor: z.string().min(1).max(512).optional(),
      ...page,
    }),
    data: z.object({ items: z.array(operationEntry), total: z.int() }),
    refusals: ['not_found'],
  },
  watchSession: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions/:id/events',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'Stream progress over a WebSocket; browsers send their token as the subprotocol bearer.<token>',
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
    summary:
      'Take a screenshot of the page with secret fields covered; recorded with size and digest before it is returned',
    body: z.strictObject({ full_page: z.boolean().default(false) }),
    data: z.object({
      /** PNG. */
      image: z.base64(),
      width: z.int(),
      height: z.int(),
      operation_id: z.uuid(),
      audit_id: z.string(),
      left: leftOnce,
    }),
    refusals: ['not_found'],
  },
  exportData: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/export',
    auth: 'bearer',
    scope: 'credential:use',
    summary:
      'Export tables, lists and text of the page as masked data; recorded with size and digest before it is returned',
    body: z.strictObject({ selector: z.string().min(1).max(4096).optional(), format: exportFormat }),
    data: z.object({
      /** JSON with `json`, a text otherwise. */
      data: z.unknown(),
      operation_id: z.uuid(),
      audit_id: z.string(),
      /** `data` as it left: with `json` the text that stands in this answer. */
      left: leftOnce,
    }),
    refusals: ['not_found'],
  },
  pauseSession: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/pause',
    auth: 'bearer',
    scope: 'credential:use',
    summary:
      'Pause a session: nothing happens until it is resumed. If a person paused it, only a person’s login can resume it',
    data: sessionInfo,
    refusals: ['not_found'],
  },
  resumeSession: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/resume',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Resume a session. If a person paused it, only a person’s login can resume it',
    data: sessionInfo,
    refusals: ['not_found', 'insufficient_scope'],
  },
  closeSession: {
    method: 'DELETE',
    path: '/api/v1/sandbox/sessions/:id',
    auth: 'bearer',
    scope: 'credential:use',
    summary: 'Close a session and destroy its browser with everything in it',
    data: sessionInfo,
    refusals: ['not_found'],
  },
  getApproval: {
    method: 'GET',
    path: '/api/v1/sandbox/sessions/:id/approvals/:operation_id',
    auth: 'bearer',
    summary:
      'Get an operation that waits for approval, with the page as it was then; only for people’s logins',
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
      /** Secrets that leave with the requests that wait, the field of the page into which each was put, and where it would go. */
      secrets: z
        .array(z.object({ credential_id: z.uuid(), field: z.string(), place }))
        .readonly()
        .optional(),
      /** PNG, secret fields painted over, what the operation would act on outlined; null where there is none. */
      image: z.base64().nullable(),
      /** The picture, as it is on record. */
      left: leftOnce.nullable(),
      requested_at: time,
    }),
    refusals: ['not_found', 'insufficient_scope'],
  },
  decideOperation: {
    method: 'POST',
    path: '/api/v1/sandbox/sessions/:id/approvals/:operation_id',
    auth: 'bearer',
    summary:
      'Approve or reject an operation that waits for approval; only for a login of the session’s owner or an admin',
    body: z.strictObject({ decision }),
    data: operationResult,
    refusals: ['not_found', 'insufficient_scope', 'credential_expired'],
  },
} as const satisfies RouteTable<VaultCode, VaultAuth>;
