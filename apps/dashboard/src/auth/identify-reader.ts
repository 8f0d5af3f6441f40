import { ok, type Result } from '@countersign/protocol/result';
import type { Route } from '@countersign/protocol/route';
import type { ReadCaller } from '../callers.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { IdentifyKey } from './identify-key.ts';
import { bearerIn, type Sessions } from './session.ts';

/**
 * Who reads an account's log: an API key as the bearer token, or else a session. An operator's key is no account's, so
 * it has no log to read.
 */
export async function identifyReader(
  headers: Headers,
  route: Route,
  sessions: Sessions,
  byKey: IdentifyKey,
): Promise<Result<ReadCaller, Refusal>> {
  const bearer = bearerIn(headers);
  if (bearer?.startsWith('csk_') !== true) {
    const session = await sessions.identify(headers, route);
    return session.ok ? ok({ account: session.value.account, person: session.value.person }) : session;
  }
  const key = await byKey(bearer, route);
  if (!key.ok) return key;
  return key.value.kind === 'account'
    ? ok({ account: key.value.account, person: null })
    : refusal('UNAUTHORIZED_OPERATION', 'an operator’s API key reads no account’s log');
}
