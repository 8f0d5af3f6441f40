import { randomUUID } from 'node:crypto';
import { ok, type Result } from '@countersign/protocol/result';
import type { Route } from '@countersign/protocol/route';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import { covers, type Scope } from '@countersign/protocol/vault/scopes';
import type { Identifying } from '@countersign/service/http';
import type { Pool, Queryable } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import type { Caller } from '../callers.ts';
import type { SealedCredential } from '../credentials/store.ts';
import type { Enclave } from '../enclave.ts';
import type { SessionAtCall } from '../sandbox/session-store.ts';
import { type Refusal, refusal } from '../refusal.ts';
import { type Claims, type Purpose, writeToken } from './claims.ts';
import { tokenKeys } from './keys.ts';
import { callRows, sessionCallRows } from './call-rows.ts';
import { insertToken, type NewToken, type TokenRow } from './store.ts';

export type RandomBytes = (count: number) => Buffer;

/** A token's state now. Its row is there even after it was revoked. */
export type Judged =
  | {
      readonly kind: 'good';
      readonly claims: Claims;
      readonly row: TokenRow;
      /** The one that was asked about together with the token. */
      readonly credential: SealedCredential | null;
      /** The same of a session. */
      readonly session: SessionAtCall | null;
    }
  | { readonly kind: 'revoked'; readonly claims: Claims }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'expired' };

/** A token's text, which is given this once. */
export type Written = { readonly id: string; readonly token: string };

/** The object that a path names, looked up together with the token. */
export type Named = { readonly kind: 'credential' | 'session'; readonly id: string } | null;

export type Tokens = {
  /** Makes a token, which is none until its row is kept. */
  readonly write: (purpose: Purpose, what: Omit<NewToken, 'id'>) => Promise<Written>;
  /** Makes a token and keeps its row. */
  readonly issue: (db: Queryable, purpose: Purpose, what: Omit<NewToken, 'id'>) => Promise<Written>;
  readonly judge: (purpose: Purpose, token: string, named?: Named) => Promise<Judged>;
  /** Who calls, if the token is good and its scopes cover the route's. */
  readonly identify: (request: Identifying) => Promise<Result<Caller, Refusal>>;
};

type TokenParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly now: () => Date;
  readonly random: RandomBytes;
};

/** How long a process may accept tokens signed with a key that was revoked meanwhile, in milliseconds. */
const keysHoldMs = 10_000;

/** Tokens under the enclave's key. Each use asks the database whether it was revoked, those at one time together. */
export function createTokens({ pool, enclave, now, random }: TokenParts): Tokens {
  const keysNow = tokenKeys(enclave, now);
  const rowsOf = callRows(pool);
  const sessionRowsOf = sessionCallRows(pool, now);

  async function claimsIn(purpose: Purpose, token: string): Promise<Claims | null> {
    const keys = await keysNow(keysHoldMs);
    const claims = keys.read(purpose, token);
    if (claims !== null) return claims;
    // Another process may have made it under a key that came since.
    const newest = await keysNow(0);
    return newest === keys ? null : newest.read(purpose, token);
  }

  async function found(token: string, named: Named) {
    if (named?.kind === 'session')
      return { credential: null, ...(await sessionRowsOf({ token, session: named.id })) };
    return { session: null, ...(await rowsOf({ token, credential: named?.id ?? null })) };
  }

  async function judge(purpose: Purpose, token: string, named: Named = null): Promise<Judged> {
    const claims = await claimsIn(purpose, token);
    if (claims === null) return { kind: 'malformed' };
    if (claims.exp.getTime() <= now().getTime()) return { kind: 'expired' };
    const { token: row, credential, session } = await found(claims.jti, named);
    if (row === null || row.revokedAt !== null) return { kind: 'revoked', claims };
    // Its text may say a later end than was cut to since.
    if (row.expiresAt.getTime() <= now().getTime()) return { kind: 'expired' };
    return { kind: 'good', claims, row, credential, session };
  }

  async function write(purpose: Purpose, what: Omit<NewToken, 'id'>): Promise<Written> {
    const id = randomUUID();
    const { account: sub, tenantId: tenant, scopes: scope, createdAt: iat, expiresAt: exp } = what;
    const claims = { jti: id, sub, tenant, scope, iat, exp };
    return { id, token: writeToken((await keysNow(0)).newest, purpose, claims, random(32)) };
  }

  return {
    judge,
    write,

    async issue(db, purpose, what) {
      const written = await write(purpose, what);
      await insertToken(db, { ...what, id: written.id });
      return written;
    },

    async identify({ headers, route, params }) {
      const token = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
      if (token === undefined)
        return refusal('unauthorized', 'a token is required: Authorization: Bearer <token>');
      const named = namedIn(route, params);
      const judged = await judge('access', token, named);
      if (judged.kind !== 'good') return whyNot[judged.kind];
      const { row, credential, session } = judged;
      const ahead = {
        ahead: named?.kind === 'credential' ? { id: named.id, row: credential } : null,
        sessionAhead: named?.kind === 'session' ? { id: named.id, row: session } : null,
      };
      return route.scope === undefined || covers(row.scopes, route.scope as Scope)
        ? ok(callerOf(row, ahead))
        : refusal('insufficient_scope', `the token does not have the scope ${route.scope}`);
    },
  };
}

/** The credential or session that a path names, whoever may have it; sessions where nothing else is asked before they are used. */
function namedIn({ path }: Route, params: Identifying['params']): Named {
  const id = (params['id'] ?? '').toLowerCase();
  if (!isUuid(id)) return null;
  if (path.startsWith(vaultRoutes.getCredential.path)) return { kind: 'credential', id };
  return withSession.includes(path) ? { kind: 'session', id } : null;
}

const withSession: readonly string[] = [vaultRoutes.executeOperation.path, vaultRoutes.takeScreenshot.path];

/** The refusals of a bad token. */
export const whyNot = {
  malformed: refusal('unauthorized', 'the token is malformed'),
  expired: refusal('token_expired', 'the token has expired'),
  revoked: refusal('token_revoked', 'the token was revoked'),
} as const;

const callerOf = (row: TokenRow, ahead: Pick<Caller, 'ahead' | 'sessionAhead'>): Caller => ({
  ...ahead,
  tokenId: row.id,
  tenantId: row.tenantId,
  account: row.account,
  scopes: row.scopes,
  credentialIds: row.credentialIds,
  agentDid: row.agentDid,
  expiresAt: row.expiresAt,
  family: row.family,
});
