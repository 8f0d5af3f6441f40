import type { Pool } from '@countersign/service/sql';
import { type Caller, reaches } from '../callers.ts';
import { isUuid } from '@countersign/service/uuid';
import { refusal } from '../refusal.ts';
import { findSession, type Session } from './session-store.ts';

/** The session of a path, if the caller's tenant has it and the caller's token reaches all that it uses; else null. */
export type SessionReached = (
  caller: Caller,
  params: Readonly<Record<string, string>>,
) => Promise<Session | null>;

/** The same for what belongs to another tenant, for what the token does not reach and for what never was. */
export const noSuchSession = refusal('not_found', 'there is no such session');

export const createSessionReached =
  (pool: Pool, now: () => Date): SessionReached =>
  async (caller, params) => {
    const id = params['id'] ?? '';
    if (!isUuid(id)) return null;
    const session = await findSession(pool, id, caller.tenantId, now());
    return session?.credentialIds.every((each) => reaches(caller, each)) === true ? session : null;
  };

/** Why nothing can be done in a session, or null. */
export function whyNotActive({ status, closedReason }: Pick<Session, 'status' | 'closedReason'>) {
  switch (status) {
    case 'active':
      return null;
    case 'paused':
      return refusal('invalid_request', 'the session is paused: resume it first (POST …/resume)');
    case 'closed':
    case 'expired':
      return refusal(
        'invalid_request',
        `the session is over (${closedReason ?? status}): open another one (POST /api/v1/sandbox/sessions)`,
      );
  }
}
