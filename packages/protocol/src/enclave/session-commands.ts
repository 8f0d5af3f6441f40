import { z } from 'zod';
import { operation } from '../vault/operation.ts';
import { credentialType } from '../vault/credential.ts';
import { fillMode } from '../vault/credential-routes.ts';
import {
  approvalMode,
  closeReason,
  decision,
  exportFormat,
  operationResult,
  sandboxIsolation,
  sessionEvent,
  sessionStatus,
} from '../vault/sandbox.ts';
import { binding, envelope } from './credential-parts.ts';

const id = z.string().min(1).max(512);
const sessionId = z.uuid();
const urls = z.array(z.string().max(2048)).max(64);

/** What a session may do with a credential. Its ciphertext comes with each operation that names it. */
const sessionCredential = z.strictObject({
  credentialId: z.uuid(),
  type: credentialType,
  /** Empty: wherever the session may go. */
  allowedUrls: urls,
  fillMode,
});

/** The credential that an operation's placeholders mean, as it is stored now. */
const operationCredential = z.strictObject({ binding, envelope });

/** What the enclave knows of a session. */
export const sessionState = z.strictObject({
  status: sessionStatus,
  /** Masked; null before the first page. */
  currentUrl: z.string().nullable(),
  isolation: sandboxIsolation,
  /** Operations that wait for a person. */
  pending: z.array(z.uuid()),
  closedReason: closeReason.optional(),
});
export type SessionState = z.infer<typeof sessionState>;

/** Each names the tenant too: a session of another is not found. */
const oneSession = { tenantId: id, sessionId };
const act = { ...oneSession, actor: id };

export const sessionCommands = {
  /** Starts a browser; it opens `startUrl` once the record `session_initiated`, which tells its isolation, is on disk. */
  'session.open': {
    request: z.strictObject({
      ...act,
      agentDid: id.optional(),
      task: z.string().min(1).max(2000),
      allowedUrls: urls.min(1),
      approval: approvalMode,
      credentials: z.array(sessionCredential).max(16),
      startUrl: z.string().max(4096).optional(),
      /** Unix milliseconds: then the enclave closes it by itself. */
      expiresAt: z.int().min(0),
    }),
    requestBody: 'none',
    reply: z.strictObject({ session: sessionState, auditId: id }),
    replyBody: 'none',
  },
  /** Reviews and runs. Records are on disk before anything is done, and before it answers. */
  'session.operate': {
    request: z.strictObject({
      ...act,
      operationId: z.uuid(),
      operation,
      /** With placeholders: the credential that they mean. */
      credential: operationCredential.optional(),
    }),
    requestBody: 'none',
    reply: z.strictObject({ operation: operationResult, session: sessionState }),
    replyBody: 'none',
  },
  /** What a person says of an operation that waits. */
  'session.decide': {
    request: z.strictObject({
      ...act,
      operationId: z.uuid(),
      decision,
      credential: operationCredential.optional(),
    }),
    requestBody: 'none',
    reply: z.strictObject({ operation: operationResult, session: sessionState }),
    replyBody: 'none',
  },
  /** Body: PNG. `isFrame`: of the live view, which is not recorded one by one. */
  'session.screenshot': {
    request: z.strictObject({ ...act, fullPage: z.boolean(), isFrame: z.boolean() }),
    requestBody: 'none',
    reply: z.strictObject({ width: z.int().min(1), height: z.int().min(1), auditId: id.optional() }),
    replyBody: 'bytes',
  },
  /** Body: UTF-8 text in the format. */
  'session.export': {
    request: z.strictObject({ ...act, selector: z.string().max(4096).optional(), format: exportFormat }),
    requestBody: 'none',
    reply: z.strictObject({ auditId: id }),
    replyBody: 'bytes',
  },
  'session.pause': {
    request: z.strictObject(act),
    requestBody: 'none',
    reply: z.strictObject({ session: sessionState }),
    replyBody: 'none',
  },
  'session.resume': {
    request: z.strictObject(act),
    requestBody: 'none',
    reply: z.strictObject({ session: sessionState }),
    replyBody: 'none',
  },
  'session.close': {
    request: z.strictObject(act),
    requestBody: 'none',
    reply: z.strictObject({ session: sessionState, auditId: id }),
    replyBody: 'none',
  },
  /** Closed ones are known for a while. */
  'session.state': {
    request: z.strictObject(oneSession),
    requestBody: 'none',
    reply: z.strictObject({ session: sessionState }),
    replyBody: 'none',
  },
  /**
   * Events of all sessions after a cursor (0: from now on), as soon as there are any, or none after `waitMs`. `missed`:
   * the cursor is older than what is kept, or of an enclave that was started since.
   */
  'session.events': {
    request: z.strictObject({ after: z.int().min(0), waitMs: z.int().min(0).max(30_000) }),
    requestBody: 'none',
    reply: z.strictObject({
      cursor: z.int().min(0),
      missed: z.boolean(),
      events: z.array(z.strictObject({ sessionId, event: sessionEvent })),
    }),
    replyBody: 'none',
  },
} as const;
