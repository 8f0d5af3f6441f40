import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { Pool } from '@countersign/service/sql';
import { goneWithEnclave, type SessionEnclave } from './enclave-session.ts';
import { deleteUnopened, type LiveSession, liveSessions, type Told, updateSession } from './session-store.ts';

type Parts = {
  readonly pool: Pool;
  readonly sessions: Pick<SessionEnclave, 'refresh'>;
  readonly now: () => Date;
  readonly tell: (sessionId: string, event: SessionEvent) => void;
};

/** Makes the table agree with the enclave. */
export type Comparison = {
  /** Ends what is late, and asks the enclave about the rest. */
  readonly compare: () => Promise<void>;
  /** Ends every session: the enclave in which they lived is gone. */
  readonly giveUpAll: () => Promise<void>;
};

/** A browser is opened in less. */
const maxOpeningMs = 120_000;

export function createComparison({ pool, sessions, now, tell }: Parts): Comparison {
  async function end(id: string, told: Told): Promise<void> {
    if (await updateSession(pool, id, told, now())) tell(id, stateEvent(told, now()));
  }

  async function compareOne(session: LiveSession): Promise<void> {
    const isYoung = now().getTime() - session.createdAt.getTime() < maxOpeningMs;
    if (session.isOpening && isYoung) return;
    const told = await sessions.refresh(session);
    if (told.closedReason !== undefined) tell(session.id, stateEvent(told, now()));
    // What the enclave knows has become active by that.
    if (session.isOpening) await deleteUnopened(pool, session.id);
  }

  return {
    async compare() {
      const all = await liveSessions(pool);
      const isLate = ({ expiresAt, isOpening }: LiveSession) => !isOpening && expiresAt <= now();
      for (const { id, currentUrl } of all.filter(isLate))
        await end(id, { status: 'expired', currentUrl, closedReason: 'expired' });
      for (const session of all) if (!isLate(session)) await compareOne(session);
    },

    async giveUpAll() {
      for (const session of await liveSessions(pool)) await end(session.id, goneWithEnclave(session));
    },
  };
}

/** The event that says how a session is. */
export const stateEvent = ({ status, currentUrl, pausedBy, closedReason }: Told, at: Date): SessionEvent => ({
  type: 'session.state',
  at: at.toISOString(),
  status,
  current_url: currentUrl,
  ...(pausedBy !== undefined && { paused_by: pausedBy }),
  ...(closedReason !== undefined && { closed_reason: closedReason }),
});
