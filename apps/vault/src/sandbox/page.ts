import { randomUUID } from 'node:crypto';
import type { CommandReply, EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import type { PageRequest } from '@countersign/protocol/vault/sandbox';
import type { Pool } from '@countersign/service/sql';
import type { Caller, VaultHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { settleOperation } from './operation-store.ts';
import { whoDid } from './operations.ts';
import { createSessionAtCall, noSuchSession, type SessionReached, whyNotActive } from './reached.ts';
import type { SessionAtCall } from './session-store.ts';

type Parts = {
  readonly pool: Pool;
  readonly sessions: SessionEnclave;
  readonly sessionReached: SessionReached;
  readonly now: () => Date;
};
type Command = 'session.screenshot' | 'session.export';
type Asked = {
  readonly session: SessionAtCall;
  readonly caller: Caller;
  readonly operation: PageRequest;
  readonly at: Date;
};

/** The page of a session as a picture and as data, both without secrets, each in the log of the session. */
export function pageHandlers(parts: Parts): Pick<VaultHandlers, 'takeScreenshot' | 'exportData'> {
  const { sessions, sessionReached, now } = parts;
  const sessionAtCall = createSessionAtCall(sessionReached);
  const log = pageLog(parts);
  return {
    async takeScreenshot({ params, body, caller }) {
      const session = await sessionAtCall(caller, params);
      if (session === null) return noSuchSession;
      const notActive = whyNotActive(session);
      if (notActive !== null) return notActive;
      const operation = { operation_type: 'screenshot', full_page: body.full_page } as const;
      const asked = { session, caller, operation, at: now() };
      const command = { fullPage: body.full_page };
      const taken = await sessions.ask('session.screenshot', session, caller, command);
      if (!taken.ok) return log.whyNot('session.screenshot', asked, taken.error);
      const { reply, body: png } = taken.value;
      await log.keep(asked, reply);
      const { width, height, operationId: operation_id, auditId: audit_id, left } = reply;
      return ok({ image: png.toString('base64'), width, height, operation_id, audit_id, left });
    },

    async exportData({ params, body, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      const notActive = whyNotActive(session);
      if (notActive !== null) return notActive;
      const { selector, format } = body;
      const command = { format, ...(selector !== undefined && { selector }) };
      const operation = { operation_type: 'export', ...command } as const;
      const asked = { session, caller, operation, at: now() };
      const read = await sessions.ask('session.export', session, caller, command);
      if (!read.ok) return log.whyNot('session.export', asked, read.error);
      const { reply } = read.value;
      await log.keep(asked, reply);
      const text = read.value.body.toString('utf8');
      const data: unknown = format === 'json' ? JSON.parse(text) : text;
      return ok({ data, operation_id: reply.operationId, audit_id: reply.auditId, left: reply.left });
    },
  };
}

/** The lines of the log that pictures and exports leave. */
function pageLog({ pool, sessions, now }: Parts) {
  const rowOf = ({ session, caller, operation, at }: Asked, id: string) => ({
    id,
    sessionId: session.id,
    ...whoDid(caller, session),
    operation,
    credentialId: null,
    at,
  });
  const since = (at: Date): number => now().getTime() - at.getTime();

  return {
    /** Keeps what left, before it is answered. */
    async keep(asked: Asked, { operationId, auditId, left }: CommandReply<Command>): Promise<void> {
      const done = { status: 'executed', result: null, review: null, audit_id: auditId, left } as const;
      await settleOperation(pool, rowOf(asked, operationId), { ...done, duration_ms: since(asked.at) });
    },

    /** Logs a refusal to hand out a page, under the operation id that its records have. */
    async whyNot(command: Command, asked: Asked, { problem, operationId, ...why }: EnclaveRefusal) {
      if (problem === undefined) return sessions.whyNot(command, asked.session, why);
      const failed = {
        status: 'failed',
        result: null,
        error: problem,
        review: null,
        audit_id: null,
      } as const;
      await settleOperation(pool, rowOf(asked, operationId ?? randomUUID()), {
        ...failed,
        duration_ms: since(asked.at),
      });
      return refusal('invalid_request', problem.message);
    },
  };
}
