import { ok, type Result } from '@countersign/protocol/result';
import type { SessionInfo } from '@countersign/protocol/vault/sandbox-routes';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { type Caller, isPerson, type VaultHandlers } from '../callers.ts';
import type { Reached } from '../credentials/reached.ts';
import type { Enclave } from '../enclave.ts';
import type { Refusal } from '../refusal.ts';
import type { Answered } from './answered.ts';
import type { CloseRevoked } from './close-revoked.ts';
import type { SessionEnclave } from './enclave-session.ts';
import type { SessionEvents } from './follow.ts';
import { openSessionHandler } from './open-session.ts';
import { operationHandlers } from './operations.ts';
import { pageHandlers } from './page.ts';
import { createSessionReached, noSuchSession, ownerOf, whyNotActive } from './reached.ts';
import { listSessions, type Session } from './session-store.ts';
import { showSession } from './show.ts';
import { watchHandler } from './watch.ts';

type Parts = {
  readonly log: Logger;
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly sessions: SessionEnclave;
  readonly events: SessionEvents;
  readonly reached: Reached;
  readonly answered: Answered;
  readonly closeRevoked: CloseRevoked;
  readonly now: () => Date;
};

type SandboxHandlers = Pick<
  VaultHandlers,
  | 'createSession'
  | 'listSessions'
  | 'getSession'
  | 'executeOperation'
  | 'listOperations'
  | 'watchSession'
  | 'getApproval'
  | 'decideOperation'
  | 'takeScreenshot'
  | 'exportData'
  | 'pauseSession'
  | 'resumeSession'
  | 'closeSession'
>;

/** Browser sessions: who may is decided here, what happens in them by the enclave. */
export function sandboxHandlers(parts: Parts): SandboxHandlers {
  const { log, pool, enclave, sessions, events, reached, answered, now } = parts;
  const sessionReached = createSessionReached(pool, now);

  /** The session as it is after a command about it. */
  async function after(
    command: 'session.pause' | 'session.resume' | 'session.close',
    session: Session,
    caller: Caller,
  ): Promise<Result<SessionInfo, Refusal>> {
    const by = isPerson(caller) ? 'person' : 'agent';
    const answer =
      command === 'session.close'
        ? await sessions.ask(command, session, caller, {})
        : await sessions.ask(command, session, caller, { by });
    const why = answer.ok ? null : await sessions.whyNot(command, session, answer.error);
    const now = await sessionReached(caller, { id: session.id });
    if (now === null) return noSuchSession;
    const isDone = why === null || (command === 'session.close' && isOver(now));
    return isDone ? ok(showSession(now)) : why;
  }

  return {
    createSession: openSessionHandler(parts),
    ...operationHandlers({ log, pool, enclave, sessions, sessionReached, reached, answered, now }),
    ...pageHandlers({ pool, sessions, sessionReached, now }),
    watchSession: watchHandler({ sessions, sessionReached, events, now }),

    async listSessions({ query, caller }) {
      const { status = null, agent_did: agentDid = null, ...page } = query;
      const { items, total } = await listSessions(pool, ownerOf(caller), { status, agentDid }, page, now());
      return ok({ items: items.map(showSession), total });
    },

    async getSession({ params, caller }) {
      const session = await sessionReached(caller, params);
      return session === null ? noSuchSession : ok(showSession(session));
    },

    async pauseSession({ params, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      return whyOver(session) ?? after('session.pause', session, caller);
    },

    async resumeSession({ params, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      return whyOver(session) ?? after('session.resume', session, caller);
    },

    async closeSession({ params, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      return isOver(session) ? ok(showSession(session)) : after('session.close', session, caller);
    },
  };
}

const whyOver = (session: Session) => (isOver(session) ? whyNotActive(session) : null);

const isOver = ({ status }: Session): boolean => status === 'closed' || status === 'expired';
