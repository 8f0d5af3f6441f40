import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Handlers, Outcome } from '../core/serve.ts';
import { credentialMeant } from './about.ts';
import { EventLog } from './events.ts';
import type { Answer, Attempt, StoredCredential } from './operation/attempt.ts';
import { decide } from './operation/decide.ts';
import { execute, type OperationParts } from './operation/execute.ts';
import { exportPage, picture, takeScreenshot } from './read-page.ts';
import type { Session } from './session.ts';
import { Sessions, type SessionsParts } from './sessions.ts';
import { Watching } from './watching.ts';

type SessionCommand = keyof Handlers & `session.${string}`;
export type SessionCommands = Pick<Handlers, SessionCommand>;
export type SessionCommandParts = Omit<SessionsParts, 'events'> & OperationParts;

const notFound = fail({ code: 'NOT_FOUND' } as const);
const notActive = fail({ code: 'SESSION_NOT_ACTIVE' } as const);

/** The commands on browser sessions, and how to end all of these. */
export function sessionCommands(parts: SessionCommandParts): {
  readonly handlers: SessionCommands;
  readonly stop: () => Promise<void>;
} {
  const events = new EventLog(parts.clock);
  const sessions = new Sessions({ ...parts, events });
  const find: Find = (act) => (request) => {
    const session = sessions.find(request.tenantId, request.sessionId);
    return session === null ? notFound : act(session, request);
  };
  const handlers: SessionCommands = {
    'session.open': async (request) => {
      const opened = await sessions.open(request);
      if (!opened.ok) return opened;
      const { session, auditId } = opened.value;
      return ok({ reply: { session: session.state(), auditId } });
    },
    ...operations(find, parts),
    ...readings(find, parts),
    'session.pause': find((session) => (session.change('pause') ? stateOf(session) : notActive)),
    'session.resume': find((session) => (session.change('resume') ? stateOf(session) : notActive)),
    'session.close': find(async (session, { actor }) => {
      const closed = await session.end('asked', actor);
      return closed.ok ? ok({ reply: { session: session.state(), auditId: closed.value } }) : closed;
    }),
    'session.state': find(stateOf),
    'session.events': async ({ after, waitMs }) => ok({ reply: await events.after(after, waitMs) }),
  };
  return { handlers, stop: () => sessions.stop() };
}

/** Hands the session that a request names to what answers it. */
type Find = <T extends { readonly tenantId: string; readonly sessionId: string }, R>(
  act: (session: Session, request: T) => R,
) => (request: T) => R | typeof notFound;

const operations = (
  find: Find,
  parts: OperationParts,
): Pick<Handlers, 'session.operate' | 'session.decide'> => ({
  'session.operate': find((session, request) =>
    inTurn(session, async () => {
      const attempt = attemptOf(session, request);
      return attempt.ok ? answered(session, await execute(session, parts, attempt.value)) : attempt;
    }),
  ),
  'session.decide': find((session, { operationId, actor, decision, credential }) =>
    inTurn(session, async () => {
      const waiting = session.pending.get(operationId);
      if (waiting !== undefined && !isMeant(session, waiting.attempt.meant, credential))
        return wrongCredential;
      const decided = { operationId, actor, decision, stored: credential ?? null };
      return answered(session, await decide(session, parts, decided));
    }),
  ),
});

function readings(
  find: Find,
  parts: SessionCommandParts,
): Pick<Handlers, 'session.screenshot' | 'session.export'> {
  const watching = new Watching(parts.clock);
  return {
    'session.screenshot': find(async (session, request) => {
      if (request.isFrame)
        return watching.frame(session, request.actor, () => picture(session, request.fullPage));
      return inTurn(session, async () => {
        const taken = await takeScreenshot(session, request);
        if (!taken.ok) return taken;
        const { width, height, auditId, png } = taken.value;
        return ok({ reply: { width, height, auditId }, body: png });
      });
    }),
    'session.export': find((session, request) =>
      inTurn(session, async () => {
        const done = await exportPage(session, parts, request);
        return done.ok ? ok({ reply: { auditId: done.value.auditId }, body: done.value.body }) : done;
      }),
    ),
  };
}

const stateOf = (session: Session) => ok({ reply: { session: session.state() } });

/** When all before it are done, and if the session is still active then. */
const inTurn = <T>(
  session: Session,
  act: () => Promise<Result<T, EnclaveRefusal>>,
): Promise<Result<T, EnclaveRefusal>> =>
  session.turns.take(async () => (session.isActive ? act() : notActive));

const answered = (session: Session, answer: Answer): Outcome<'session.operate'> =>
  answer.ok ? ok({ reply: { operation: answer.value, session: session.state() } }) : answer;

const wrongCredential = fail({ code: 'INVALID_COMMAND', field: 'credential' } as const);

type OperateRequest = Parameters<Handlers['session.operate']>[0];

function attemptOf(session: Session, request: OperateRequest): Result<Attempt, EnclaveRefusal> {
  const { operationId, operation, actor, credential } = request;
  const meant = credentialMeant(session.about, operation.credential_id);
  if (!isMeant(session, meant, credential)) return wrongCredential;
  if (session.pending.has(operationId)) return fail({ code: 'INVALID_COMMAND', field: 'operationId' });
  const startedAt = session.clock.elapsed();
  return ok({
    operationId,
    operation,
    actor,
    meant,
    stored: credential ?? null,
    startedAt,
    approvedBy: null,
  });
}

/** Whether what the vault sent is the credential of this session and tenant that is meant, or nothing. */
const isMeant = (
  { about }: Session,
  meant: Attempt['meant'],
  stored: StoredCredential | undefined,
): boolean =>
  stored === undefined ||
  (stored.binding.tenantId === about.tenantId &&
    stored.binding.credentialId === meant?.credentialId &&
    stored.binding.type === meant.type);
