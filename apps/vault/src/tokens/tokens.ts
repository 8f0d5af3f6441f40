import { randomUUID } from 'node:crypto';
import { ok, type Result } from '@countersign/protocol/result';
import type { Route } from '@countersign/protocol/route';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import { covers, type Scope } from '@countersign/protocol/vault/scopes';
import type { Identifying } from '@countersign/service/http';
import type { Pool, Queryable } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import type { Ahead, Caller } from '../callers.ts';
import type { SealedCredential } from '../credentials/store.ts';
import type { Enclave } from '../enclave.ts';
import { type Refusal, refusal } from '../refusal.ts';
import { type Claims, type Purpose, writeToken } from './claims.ts';
import { tokenKeys } from './keys.ts';
import { callRows } from './call-rows.ts';
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
    }
  | { readonly kind: 'revoked'; readonly claims: Claims }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'expired' };

/** A token's text, which is given this once. */
export type Written = { readonly id: string; readonly token: string };

export type Tokens = {
  /** Makes a token, which is none until its row is kept. */
  readonly write: (purpose: Purpose, what: Omit<NewToken, 'id'>) => Promise<Written>;
  /** Makes a token and keeps its row. */
  readonly issue: (db: Queryable, purpose: Purpose, what: Omit<NewToken, 'id'>) => Promise<Written>;
  readonly judge: (purpose: Purpose, token: string, credentialId?: string | null) => Promise<Judged>;
  /** Who calls, if the token is good and its scopes cover the route's. */
  readonly identify: (request: Identifying) => Promise<Result<Caller, Refusal>>;
};

type TokenParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly now: () => Date;
  readonly random: RandomBytes;
};

/** For so long a process may take tokens that were made under a key that was revoked meanwhile. */
const keysHoldMs = 10_000;

/** Tokens under the enclave's key. Each use asks the database whether it was revoked, those at one time together. */
export function createTokens({ pool, enclave, now, random }: TokenParts): Tokens {
  const keysNow = tokenKeys(enclave, now);
  const rowsOf = callRows(pool);

  async function claimsIn(purpose: Purpose, token: string): Promise<Claims | null> {
    const keys = await keysNow(keysHoldMs);
    const claims = keys.read(purpose, token);
    if (claims !== null) return claims;
    // Another process may have made it under a key that came since.
    const newest = await keysNow(0);
    return newest === keys ? null : newest.read(purpose, token);
  }

  async function judge(purpose: Purpose, token: string, credential: string | null = null): Promise<Judged> {
    const claims = await claimsIn(purpose, token);
    if (claims === null) return { kind: 'malformed' };
    if (claims.exp.getTime() <= now().getTime()) return { kind: 'expired' };
    const found = await rowsOf({ token: claims.jti, credential });
    const { token: row } = found;
    if (row === null || row.revokedAt !== null) return { kind: 'revoked', claims };
    // Its text may say a later end than was cut to since.
    if (row.expiresAt.getTime() <= now().getTime()) return { kind: 'expired' };
    return { kind: 'good', claims, row, credential: found.credential };
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
      const id = credentialIdIn(route, params);
      const judged = await judge('access', token, id);
      if (judged.kind !== 'good') return whyNot[judged.kind];
      const { row, credential } = judged;
      const ahead = id === null ? null : { id, row: credential };
      return route.scope === undefined || covers(row.scopes, route.scope as Scope)
        ? ok(callerOf(row, ahead))
        : refusal('insufficient_scope', `the token lacks the scope ${route.scope}`);
    },
  };
}

/** The credential that a path names, whoever may have it. */
function credentialIdIn({ path }: Route, params: Identifying['params']): string | null {
  const id = (params['id'] ?? '').toLowerCase();
  return path.startsWith(vaultRoutes.getCredential.path) && isUuid(id) ? id : null;
}

/** How a bad token is refused. */
export const whyNot = {
  malformed: refusal('unauthorized', 'the token is malformed'),
  expired: refusal('token_expired', 'the token has expired'),
  revoked: refusal('token_revoked', 'the token was revoked'),
} as const;

const callerOf = (row: TokenRow, ahead: Ahead | null): Caller => ({
  ahead,
  tokenId: row.id,
  tenantId: row.tenantId,
  account: row.account,
  scopes: row.scopes,
  credentialIds: row.credentialIds,
  agentDid: row.agentDid,
  expiresAt: row.expiresAt,
  family: row.family,
});
