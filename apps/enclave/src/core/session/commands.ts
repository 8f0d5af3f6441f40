import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { LeftOnce } from '@countersign/protocol/vault/left';
import type { Handlers, Outcome } from '../serve.ts';
import { credentialMeant } from './about.ts';
import { EventLog } from './events.ts';
import { recordLeft } from './left.ts';
import { asStored, type Attempt, type StoredCredential } from './operation/attempt.ts';
import { decide } from './operation/decide.ts';
import { execute, type OperationParts } from './operation/execute.ts';
import type { Answer } from './operation/finish.ts';
import type { PendingOperation } from './operation/pending.ts';
import { placeOf } from './operation/places.ts';
import { exportPage, picture, takeScreenshot } from './read-page.ts';
import { whoOf } from './records.ts';
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
    'session.expect': ({ tenantId, sessionId }) => {
      sessions.expect(tenantId, sessionId);
      return ok({ reply: {} });
    },
    'session.mask': async ({ tenantId, credential, ...who }) => {
      const masked = await sessions.mask(tenantId, { credential, who });
      return masked.ok ? ok({ reply: {} }) : masked;
    },
    'session.open': async (request) => {
      const opened = await sessions.open(request);
      if (!opened.ok) return opened;
      const { session, auditId } = opened.value;
      return ok({ reply: { session: await session.state(), auditId } });
    },
    ...operations(find, parts),
    'session.approval': find((session, request) => showApproval(session, parts, request)),
    ...readings(find, parts),
    'session.pause': find((session, { by }) => change(session, { kind: 'pause', by })),
    'session.resume': find((session, { by }) => change(session, { kind: 'resume', by })),
    'session.close': find(async (session, request) => {
      const closed = await session.end('asked', whoOf(request));
      return closed.ok ? ok({ reply: { session: await session.state(), auditId: closed.value } }) : closed;
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
      return attempt.ok ? await answered(session, await execute(session, parts, attempt.value)) : attempt;
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
): Pick<Handlers, 'session.screenshot' | 'session.frame' | 'session.export'> {
  const watching = new Watching(parts.clock, parts);
  return {
    'session.screenshot': find((session, request) =>
      inTurn(session, async () => {
        const taken = await takeScreenshot(session, parts, request);
        if (!taken.ok) return taken;
        const { png, ...reply } = taken.value;
        return ok({ reply, body: png });
      }),
    ),
    'session.frame': find((session, { watchers }) =>
      watching.frame(session, watchers, () => picture(session, false)),
    ),
    'session.export': find((session, request) =>
      inTurn(session, async () => {
        const done = await exportPage(session, parts, request);
        if (!done.ok) return done;
        const { body, ...reply } = done.value;
        return ok({ reply, body });
      }),
    ),
  };
}

/** Shows a person what they are asked to approve, after the record that they have seen it is on disk. */
async function showApproval(
  session: Session,
  parts: OperationParts,
  { operationId, actor }: Parameters<Handlers['session.approval']>[0],
): Promise<Outcome<'session.approval'>> {
  const waiting = session.pending.get(operationId);
  if (waiting === undefined) return fail({ code: 'INVALID_COMMAND', field: 'operationId' });
  const { reviewed, picture, secrets, seenBy } = waiting;
  const seen = seenBy.get(actor);
  const left = seen === undefined ? await recordSeen(session, parts, waiting, actor) : ok(seen);
  if (!left.ok) return left;
  seenBy.set(actor, left.value);
  const reply = { place: placeOf(reviewed), secrets, left: left.value };
  // What is answered is wiped when it is sent, and whoever looks next sees it too.
  return ok({ reply, ...(picture !== null && { body: Buffer.from(picture) }) });
}

/** Records that a person sees what waits, and the picture that leaves with it. */
async function recordSeen(
  session: Session,
  parts: OperationParts,
  { attempt, picture }: PendingOperation,
  actor: string,
): Promise<Result<LeftOnce | null, EnclaveRefusal>> {
  const { operationId } = attempt;
  const who = { ...attempt.who, actor };
  const detail = { operationId, picture: picture !== null };
  const opened = await session.record({ eventType: 'human_approval_opened', who, detail });
  if (!opened.ok || picture === null) return opened.ok ? ok(null) : opened;
  const about = { what: 'approval_picture', mediaType: 'image/png', operationId } as const;
  return recordLeft(session, parts, who, { ...about, intent: opened.value, bytes: picture });
}

const stateOf = async (session: Session) => ok({ reply: { session: await session.state() } });

const change = (session: Session, event: Parameters<Session['change']>[0]) => {
  const changed = session.change(event);
  return changed.ok ? stateOf(session) : changed;
};

/** When all before it are done, and if the session is still active then. */
const inTurn = <T>(
  session: Session,
  act: () => Promise<Result<T, EnclaveRefusal>>,
): Promise<Result<T, EnclaveRefusal>> =>
  session.turns.take(async () => (session.isActive ? act() : notActive));

const answered = async (session: Session, answer: Answer): Promise<Awaited<Outcome<'session.operate'>>> =>
  answer.ok ? ok({ reply: { ...answer.value, session: await session.state() } }) : answer;

const wrongCredential = fail({ code: 'INVALID_COMMAND', field: 'credential' } as const);

type OperateRequest = Parameters<Handlers['session.operate']>[0];

function attemptOf(session: Session, request: OperateRequest): Result<Attempt, EnclaveRefusal> {
  const { operationId, operation, credential } = request;
  const named = credentialMeant(session.about, operation.credential_id);
  if (!isMeant(session, named, credential)) return wrongCredential;
  const meant = asStored(named, credential);
  if (session.pending.has(operationId)) return fail({ code: 'INVALID_COMMAND', field: 'operationId' });
  const startedAt = session.clock.elapsed();
  return ok({
    operationId,
    operation,
    who: whoOf(request),
    meant,
    stored: credential ?? null,
    startedAt,
    approvedBy: null,
  });
}

/**
 * Returns whether what the vault sent is the credential of this session and tenant that is meant, or nothing.
 */
const isMeant = (
  { about }: Session,
  meant: Attempt['meant'],
  stored: StoredCredential | undefined,
): boolean =>
  stored === undefined ||
  (stored.binding.tenantId === about.tenantId &&
    stored.binding.credentialId === meant?.credentialId &&
    stored.binding.type === meant.type);
