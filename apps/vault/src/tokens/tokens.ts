import { randomUUID } from 'node:crypto';
import { ok, type Result } from '@countersign/protocol/result';
import { covers, type Scope } from '@countersign/protocol/vault/scopes';
import { gathering } from '@countersign/service/gather';
import type { Identifying } from '@countersign/service/http';
import type { Pool, Queryable } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';
import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { type Refusal, refusal } from '../refusal.ts';
import { type Claims, type Purpose, readToken, writeToken } from './claims.ts';
import { findTokens, insertToken, type NewToken, type TokenRow } from './store.ts';

export type RandomBytes = (count: number) => Buffer;

/** A token's state now. Its row is there even after it was revoked. */
export type Judged =
  | { readonly kind: 'good'; readonly claims: Claims; readonly row: TokenRow }
  | { readonly kind: 'revoked'; readonly claims: Claims }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'expired' };

export type Tokens = {
  /** Makes a token and keeps what must be known of it. The text is given this once. */
  readonly issue: (
    db: Queryable,
    purpose: Purpose,
    what: Omit<NewToken, 'id'>,
  ) => Promise<{ id: string; token: string }>;
  readonly judge: (purpose: Purpose, token: string) => Promise<Judged>;
  /** Who calls, if the token is good and its scopes cover the route's. */
  readonly identify: (request: Identifying) => Promise<Result<Caller, Refusal>>;
};

type TokenParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly now: () => Date;
  readonly random: RandomBytes;
};

/** As many look-ups as go into one statement. */
const mostTogether = 256;

/** Tokens under the enclave's key. Each use asks the database whether it was revoked, those at one time together. */
export function createTokens({ pool, enclave, now, random }: TokenParts): Tokens {
  const keyOf = tokenKey(enclave);
  const rowOf = gathering(async (ids: readonly string[]) => {
    const found = new Map((await findTokens(pool, [...new Set(ids)])).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  }, mostTogether);

  async function judge(purpose: Purpose, token: string): Promise<Judged> {
    const claims = readToken(await keyOf(), purpose, token);
    if (claims === null) return { kind: 'malformed' };
    if (claims.exp.getTime() <= now().getTime()) return { kind: 'expired' };
    const row = await rowOf(claims.jti);
    return row === null || row.revokedAt !== null
      ? { kind: 'revoked', claims }
      : { kind: 'good', claims, row };
  }

  return {
    judge,

    async issue(db, purpose, what) {
      const id = randomUUID();
      const { account: sub, tenantId: tenant, scopes: scope, createdAt: iat, expiresAt: exp } = what;
      const token = writeToken(await keyOf(), purpose, { jti: id, sub, tenant, scope, iat, exp }, random(32));
      await insertToken(db, { ...what, id });
      return { id, token };
    },

    async identify({ headers, route }) {
      const token = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
      if (token === undefined)
        return refusal('unauthorized', 'a token is required: Authorization: Bearer <token>');
      const judged = await judge('access', token);
      if (judged.kind !== 'good') return whyNot[judged.kind];
      const { row } = judged;
      return route.scope === undefined || covers(row.scopes, route.scope as Scope)
        ? ok(callerOf(row))
        : refusal('insufficient_scope', `the token lacks the scope ${route.scope}`);
    },
  };
}

/** How a bad token is refused. */
export const whyNot = {
  malformed: refusal('unauthorized', 'the token is malformed'),
  expired: refusal('token_expired', 'the token has expired'),
  revoked: refusal('token_revoked', 'the token was revoked'),
} as const;

const callerOf = (row: TokenRow): Caller => ({
  tokenId: row.id,
  tenantId: row.tenantId,
  account: row.account,
  scopes: row.scopes,
  credentialIds: row.credentialIds,
  agentDid: row.agentDid,
  family: row.family,
});

/** The key under which tokens are made; it stays the same as long as the enclave's root secrets do. */
function tokenKey(enclave: Enclave): () => Promise<Buffer> {
  let known: Buffer | null = null;
  return async () => {
    if (known !== null) return known;
    const answer = await enclave.call('tokenKey', {});
    if (!answer.ok) throw new EnclaveFailed('tokenKey', answer.error);
    known = answer.value.body;
    return known;
  };
}
