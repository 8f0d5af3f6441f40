import { z } from 'zod';
import { operation } from '../vault/operation.ts';
import { credentialType } from '../vault/credential.ts';
import { knownPlace, place } from '../vault/credential-use.ts';
import { fillMode } from '../vault/credential-routes.ts';
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
} from '../vault/sandbox.ts';
import { frameDigest, leftOnce } from '../vault/left.ts';
import { binding, envelope } from './credential-parts.ts';

const id = z.string().min(1).max(512);
const sessionId = z.uuid();
const urls = z.array(z.string().max(2048)).max(64);

/** The limits on a session's use of a credential. Each operation that names it carries its ciphertext. */
const sessionCredential = z.strictObject({
  credentialId: z.uuid(),
  type: credentialType,
  /** Empty: nowhere, until a person agrees to a first use. */
  allowedUrls: urls,
  fillMode,
});

/** A credential as it is stored now. */
const storedCredential = z.strictObject({ binding, envelope });

/**
 * One to be masked, in pages of the sites where it may be used: elsewhere a mask would tell a guesser that it is right. What machines
 * made nobody guesses: that is masked in all, and need not be usable anywhere.
 */
const maskedCredential = storedCredential.extend({ allowedUrls: urls });

/** Most credentials that a session masks besides those that were used in it: the newest. */
export const maxMaskWith = 500;

/** Most places of one credential that are told; those that were allowed last. */
export const maxUses = 200;

/** The credential that an operation's placeholders mean, as it is stored now. */
const operationCredential = z.strictObject({
  binding,
  envelope,
  /** Replaces the URLs with which the session was opened, so that revocations take effect. */
  allowedUrls: urls,
  /**
   * The places where it was allowed. `agreed`: anywhere in `allowedUrls`, since a person has approved these
   * very operations.
   */
  uses: z.union([z.array(knownPlace).max(maxUses), z.literal('agreed')]),
});

/** A secret that a request takes along which waits, and where to: the field of the page into which it was put, masked. */
const secretToSend = z.strictObject({ credentialId: z.uuid(), field: z.string().max(64), place });
export type SecretToSend = z.infer<typeof secretToSend>;

/** The enclave's state of a session. */
export const sessionState = z.strictObject({
  status: sessionStatus,
  /** Masked; null before the first page. */
  currentUrl: z.string().nullable(),
  isolation: sandboxIsolation,
  /** Operations that wait for a person. */
  pending: z.array(z.uuid()),
  /** While it is paused. */
  pausedBy: pausedBy.optional(),
  closedReason: closeReason.optional(),
});
export type SessionState = z.infer<typeof sessionState>;

/** The result of an operation. `learned`: places where its secret was allowed for the first time. */
const operated = z.strictObject({
  operation: operationResult,
  session: sessionState,
  learned: place.optional(),
});

/** Each names the tenant too: a session of another is not found. */
const oneSession = { tenantId: id, sessionId };
/** Who acts, as records name it; and for which agent, where that is known. */
const acting = { actor: id, agentDid: id.optional() };
const act = { ...oneSession, ...acting };

const size = { width: z.int().min(1), height: z.int().min(1) };
/** `auditId`: of the intent, which was on disk before. */
const pageRead = { operationId: z.uuid(), auditId: id, left: leftOnce };

export const sessionCommands = {
  /** Before the credentials of `session.open` are read: what `session.mask` tells from here on, that session hears as well. */
  'session.expect': {
    request: z.strictObject(oneSession),
    requestBody: 'none',
    reply: z.strictObject({}),
    replyBody: 'none',
  },
  /**
   * A credential as it is about to be stored, for all sessions of the tenant that mask it. Answers once the record of each opening is on disk
   * and each session looks for it; a session of which that cannot be recorded is ended, and that is refused.
   */
  'session.mask': {
    request: z.strictObject({ tenantId: id, ...acting, credential: maskedCredential }),
    requestBody: 'none',
    reply: z.strictObject({}),
    replyBody: 'none',
  },
  /** Starts a browser; it opens `startUrl` once the record `session_initiated`, which tells its isolation, is on disk. */
  'session.open': {
    request: z.strictObject({
      ...act,
      task: z.string().min(1).max(2000),
      allowedUrls: urls.min(1),
      approval: approvalMode,
      credentials: z.array(sessionCredential).max(16),
      /** Those that may be used within its scope or that machines made, its own or not: opened to be masked, and for nothing else. */
      maskWith: z.array(maskedCredential).max(maxMaskWith),
      /** It was announced by `session.expect`; where the enclave does not know of that, it is not opened. */
      isExpected: z.literal(true).optional(),
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
      /** With placeholders: the credential to which they refer. */
      credential: operationCredential.optional(),
    }),
    requestBody: 'none',
    reply: operated,
    replyBody: 'none',
  },
  /** A person's decision about an operation that waits for one. */
  'session.decide': {
    request: z.strictObject({
      ...act,
      operationId: z.uuid(),
      decision,
      credential: operationCredential.optional(),
    }),
    requestBody: 'none',
    reply: operated,
    replyBody: 'none',
  },
  /**
   * Returns the question for a person, after recording who has seen it. Body: a masked PNG of the page at
   * that time, the target outlined; or empty.
   */
  'session.approval': {
    request: z.strictObject({ ...act, operationId: z.uuid() }),
    requestBody: 'none',
    reply: z.strictObject({
      place: place.nullable(),
      /** Of requests that wait: absent, none. */
      secrets: z.array(secretToSend).readonly().optional(),
      left: leftOnce.nullable(),
    }),
    replyBody: 'bytes',
  },
  /** Body: PNG. */
  'session.screenshot': {
    request: z.strictObject({ ...act, fullPage: z.boolean() }),
    requestBody: 'none',
    reply: z.strictObject({ ...size, ...pageRead }),
    replyBody: 'bytes',
  },
  /** Body: PNG of the live view, for all who watch. That one begins is recorded before, what it got within a minute. */
  'session.frame': {
    request: z.strictObject({ ...oneSession, watchers: z.array(z.strictObject(acting)).min(1).max(64) }),
    requestBody: 'none',
    reply: z.strictObject({ ...size, ...frameDigest }),
    replyBody: 'bytes',
  },
  /** Body: UTF-8 text in the format. */
  'session.export': {
    request: z.strictObject({ ...act, selector: z.string().max(4096).optional(), format: exportFormat }),
    requestBody: 'none',
    reply: z.strictObject(pageRead),
    replyBody: 'bytes',
  },
  /** A person's pause takes the place of an agent's, never the other way round. */
  'session.pause': {
    request: z.strictObject({ ...act, by: pausedBy }),
    requestBody: 'none',
    reply: z.strictObject({ session: sessionState }),
    replyBody: 'none',
  },
  'session.resume': {
    request: z.strictObject({ ...act, by: pausedBy }),
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
