import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Route } from '@countersign/protocol/route';
import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import type { Pool, Queryable } from '@countersign/service/sql';
import { parse } from 'hono/utils/cookie';
import { jwtVerify, SignJWT } from 'jose';
import { refusal, type Refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';
import type { SessionCaller } from '../callers.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { type Person, personOf } from '../people/person.ts';
import { whyNotAllowed } from './allowed.ts';
import { ensureSigningKey, findSession, insertSession, touchSession } from './store.ts';

const cookieName = 'platform_session';
const lifetimeMs = 12 * 60 * 60_000;
const issuer = 'countersign-dashboard';
/**
 * The audience of sessions of people other than the wallet's holder. Releases without people reject it, and
 * so never take them for the holder.
 */
const audienceOfPeople = 'countersign-dashboard-people';

export type Sessions = {
  readonly open: (
    account: Account,
    person: Person,
    db?: Queryable,
  ) => Promise<{ token: string; expiresAt: Date; cookie: string }>;
  /** A header value that makes the browser forget its session. */
  readonly forget: string;
  /** Who calls. The token must be ours, its session neither revoked nor expired, and the route open to their roles. */
  readonly identify: (headers: Headers, route: Route) => Promise<Result<SessionCaller, Refusal>>;
  /** The same whatever the roles, for what is judged elsewhere. */
  readonly whoCalls: (headers: Headers, method: string) => Promise<Result<SessionCaller, Refusal>>;
};

type SessionParts = {
  readonly pool: Pool;
  readonly origins: readonly string[];
  readonly secureCookie: boolean;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
};

/** A busy session would otherwise cost a write a request. */
const touchEveryMs = 60_000;

/** Sessions as signed tokens, each with a row in the database so that it can be revoked. */
export async function createSessions(parts: SessionParts): Promise<Sessions> {
  const { pool, now, random, log } = parts;
  const secret = await ensureSigningKey(pool, 'session', random(32), now());
  const readToken = tokenReader(secret);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${parts.secureCookie ? '; Secure' : ''}`;

  async function whoCalls(headers: Headers, method: string): Promise<Result<SessionCaller, Refusal>> {
    const shown = tokenIn(headers);
    if (shown === null) return refusal('ACCESS_TOKEN_REQUIRED', 'a session is required: log in');
    const time = now();
    const sessionId = await readToken(shown.token, time);
    const found = sessionId === null ? null : await findSession(pool, sessionId, time);
    if (sessionId === null || found === null)
      return refusal('AUTHENTICATION_FAILED', 'the session is not valid');
    // A browser sends the cookie along with requests that other sites make, so those must prove where they come from.
    if (shown.by === 'cookie' && method !== 'GET' && !parts.origins.includes(headers.get('origin') ?? '')) {
      return refusal(
        'UNAUTHORIZED_OPERATION',
        'a request with the session cookie must have this site as its Origin',
      );
    }
    const { lastSeenAt, personId, personName, personRoles, ...account } = found;
    if (time.getTime() - lastSeenAt.getTime() >= touchEveryMs)
      background(log, 'note the use of a session', touchSession(pool, sessionId, time));
    return ok({ sessionId, account, person: personOf({ personId, personName, personRoles }) });
  }

  return {
    forget: `${cookieName}=; Max-Age=0; ${attributes}`,

    async open(account, person, db = pool) {
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
      const id = newId(random, 'ses');
      await insertSession(db, { id, accountId: account.id, personId: person.id, createdAt, expiresAt });
      const token = await new SignJWT({ sid: id })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setAudience(person.id === null ? issuer : audienceOfPeople)
        .setSubject(account.id)
        .setIssuedAt(createdAt)
        .setExpirationTime(expiresAt)
        .sign(secret);
      return {
        token,
        expiresAt,
        cookie: `${cookieName}=${token}; Max-Age=${lifetimeMs / 1000}; ${attributes}`,
      };
    },

    whoCalls,

    async identify(headers, route) {
      const caller = await whoCalls(headers, route.method);
      const why = caller.ok ? whyNotAllowed(route, caller.value.person) : null;
      return why === null ? caller : fail(why);
    },
  };
}

/** Returns the bearer token, valid or not; null if there is none. */
export const bearerIn = (headers: Headers): string | null =>
  /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;

/** A bearer token, good or bad, is never passed over in favour of the cookie. */
function tokenIn(headers: Headers): { token: string; by: 'bearer' | 'cookie' } | null {
  const bearer = bearerIn(headers);
  if (bearer !== null) return { token: bearer, by: 'bearer' };
  const cookie = parse(headers.get('cookie') ?? '', cookieName)[cookieName];
  return cookie === undefined || cookie === '' ? null : { token: cookie, by: 'cookie' };
}

/** So many tokens are known to be ours before all are forgotten; only genuine ones get in. */
const maxKnown = 10_000;

/**
 * Reads the session's id from a token of ours that has not expired; null for any other. A signature that was found
 * good stays good, so each token is verified once: that costs more than the look at its session, which comes every time.
 */
function tokenReader(secret: Uint8Array): (token: string, now: Date) => Promise<string | null> {
  const known = new Map<string, { readonly sessionId: string; readonly expiresAt: number }>();
  return async (token, now) => {
    const before = known.get(token);
    if (before !== undefined) return before.expiresAt > now.getTime() ? before.sessionId : null;
    const payload = await verifyToken(token, secret, now);
    if (payload === null) return null;
    if (known.size >= maxKnown) known.clear();
    known.set(token, payload);
    return payload.sessionId;
  };
}

async function verifyToken(token: string, secret: Uint8Array, now: Date) {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      issuer,
      audience: [issuer, audienceOfPeople],
      currentDate: now,
    });
    const { sid, exp } = payload;
    return typeof sid === 'string' && exp !== undefined ? { sessionId: sid, expiresAt: exp * 1000 } : null;
  } catch {
    return null;
  }
}
