import type { Pool } from '@countersign/service/sql';
import { covers } from '@countersign/protocol/vault/scopes';
import { type Caller, isPerson } from '../callers.ts';
import { isUuid } from '@countersign/service/uuid';
import { refusal } from '../refusal.ts';
import {
  findSession,
  isOwned,
  type Session,
  type SessionAtCall,
  type SessionOwner,
} from './session-store.ts';

/** The session of a path, if it is the caller's; else null. */
export type SessionReached = (
  caller: Caller,
  params: Readonly<Record<string, string>>,
) => Promise<Session | null>;

/**
 * A session belongs to the token that opened it, and to people: those of the account of that token, and admins. Another
 * generated token has nothing to do with it, whoever made it and whatever its scopes.
 */
export function ownerOf(caller: Caller): SessionOwner {
  const { tenantId, account, tokenId, scopes } = caller;
  if (!isPerson(caller)) return { tenantId, account, tokenId };
  return { tenantId, account: covers(scopes, 'admin') ? null : account, tokenId: null };
}

/** The same for what belongs to another tenant, person or token, and for what never was. */
export const noSuchSession = refusal('not_found', 'session not found');

export const createSessionReached =
  (pool: Pool, now: () => Date): SessionReached =>
  async (caller, params) => {
    const id = params['id'] ?? '';
    return isUuid(id) ? findSession(pool, id, ownerOf(caller), now()) : null;
  };

/** The same, as it was when the token was looked up: for what begins with it. */
export const createSessionAtCall =
  (sessionReached: SessionReached) =>
  async (caller: Caller, params: Parameters<SessionReached>[1]): Promise<SessionAtCall | null> => {
    const { sessionAhead: ahead } = caller;
    if (ahead === null || ahead.id !== params['id']?.toLowerCase()) return sessionReached(caller, params);
    return ahead.row !== null && isOwned(ahead.row, ownerOf(caller)) ? ahead.row : null;
  };

/** Why nothing can be done in a session, or null. */
export function whyNotActive({
  status,
  pausedBy,
  closedReason,
}: Pick<Session, 'status' | 'pausedBy' | 'closedReason'>) {
  switch (status) {
    case 'active':
      return null;
    case 'paused':
      return refusal(
        'invalid_request',
        pausedBy === 'person'
          ? 'a person paused the session: a person who is logged in must resume it (POST …/resume)'
          : 'the session is paused: resume it first (POST …/resume)',
      );
    case 'closed':
    case 'expired':
      return refusal(
        'invalid_request',
        `the session is over (${closedReason ?? status}): open another one (POST /api/v1/sandbox/sessions)`,
      );
  }
}
