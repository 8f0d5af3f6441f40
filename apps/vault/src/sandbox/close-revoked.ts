import type { Pool } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { sessionsOfRevoked } from './session-store.ts';

/**
 * Closes the sessions of a tenant whose generated token was revoked, in the name of the caller: what an agent logged into does
 * not outlive its token. Rejects when the enclave cannot be asked; asking again closes what is left.
 */
export type CloseRevoked = (caller: Caller) => Promise<void>;

export const createCloseRevoked =
  (pool: Pool, sessions: Pick<SessionEnclave, 'ask'>): CloseRevoked =>
  async (caller) => {
    const open = await sessionsOfRevoked(pool, caller.tenantId);
    // One that the enclave does not know any more is over already.
    await Promise.all(open.map((session) => sessions.ask('session.close', session, caller, {})));
  };
