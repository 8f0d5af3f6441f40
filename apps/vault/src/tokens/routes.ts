import { ok, type Result } from '@countersign/protocol/result';
import { covers, isPersonsToGive, type Scope } from '@countersign/protocol/vault/scopes';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { type Caller, isPerson, type VaultHandlers } from '../callers.ts';
import { isUuid } from '@countersign/service/uuid';
import { type Refusal, refusal } from '../refusal.ts';
import type { CloseRevoked } from '../sandbox/close-revoked.ts';
import { wholeSeconds } from './login-routes.ts';
import {
  countValid,
  type Holder,
  holdPerson,
  holdToken,
  insertToken,
  listTokens,
  type NewToken,
  revokeToken,
  type TokenRow,
} from './store.ts';
import { type Tokens, whyNot } from './tokens.ts';

type TokenParts = {
  readonly pool: Pool;
  readonly tokens: Tokens;
  readonly closeRevoked: CloseRevoked;
  readonly now: () => Date;
};

type TokenHandlers = Pick<VaultHandlers, 'createToken' | 'listTokens' | 'verifyToken' | 'revokeToken'>;

/** A token whose maker does not say when it ends lives a day. */
const usualSeconds = 86_400;

/** Generated tokens. Nobody gives away more than they hold. */
export function tokenHandlers({ pool, tokens, closeRevoked, now }: TokenParts): TokenHandlers {
  return {
    async createToken({ body, caller }) {
      const scopes = [...new Set(body.scopes)];
      const limits = limitsWithin(caller, scopes, body);
      if (!limits.ok) return limits;
      const createdAt = wholeSeconds(now());
      const seconds = secondsWithin(caller, createdAt, body.expires_in);
      if (!seconds.ok) return seconds;
      const row = {
        ...limits.value,
        tenantId: caller.tenantId,
        account: caller.account,
        kind: 'api' as const,
        name: body.name,
        scopes,
        family: null,
        parent: isPerson(caller) ? null : caller.tokenId,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + seconds.value * 1000),
      };
      const { id, token } = await tokens.write('access', row);
      const kept = await keepUnlessOrphan(pool, { ...row, id }, caller.tokenId);
      if (!kept.ok) return kept;
      const { revoked_at: _, ...shown } = showToken({ ...row, id, revokedAt: null });
      return ok({ ...shown, token });
    },

    async listTokens({ caller, query }) {
      const { items, total } = await listTokens(pool, holderOf(caller), query);
      return ok({ items: items.map(showToken), total });
    },

    async verifyToken({ body, caller }) {
      const judged = await tokens.judge('access', body.token);
      // Of another tenant's token nothing is told.
      if (judged.kind === 'malformed' || judged.kind === 'expired') return ok(invalid(judged.kind));
      if (judged.claims.tenant !== caller.tenantId) return ok(invalid('malformed'));
      if (judged.kind === 'revoked') return ok(invalid('revoked'));
      const { id, scopes, expiresAt } = judged.row;
      return ok({ valid: true, id, scopes: [...scopes], expires_at: expiresAt.toISOString() });
    },

    async revokeToken({ params, caller }) {
      const id = params['id'] ?? '';
      const isDone = isUuid(id) && (await revokeToken(pool, id, holderOf(caller), now()));
      if (!isDone) return refusal('not_found', 'token not found');
      await closeRevoked(caller);
      return ok({ id, revoked: true as const });
    },
  };
}

/** Whoever a dashboard signs in has so many valid tokens at a time, with those that their tokens made. */
const maxOfPerson = 200;
const tooMany = refusal(
  'rate_limited',
  `you have ${maxOfPerson} tokens for agents that are valid: revoke those that are not needed`,
);

/** Nothing is kept when its maker was revoked meanwhile. */
const keepUnlessOrphan = (pool: Pool, token: NewToken, maker: string): Promise<Result<null, Refusal>> =>
  inTransaction(pool, async (db) => {
    const isPersons = await holdPerson(db, token.account);
    if (!(await holdToken(db, maker))) return whyNot.revoked;
    if (isPersons && (await countValid(db, token.account, token.createdAt)) >= maxOfPerson) return tooMany;
    await insertToken(db, token);
    return ok(null);
  });

const invalid = (reason: 'malformed' | 'expired' | 'revoked') => ({ valid: false, reason });

/** Tokens that a caller may see and end: with `admin` all of the tenant, else a person’s own, or itself and what it made. */
function holderOf(caller: Caller): Holder {
  const { tenantId, account, tokenId } = caller;
  if (covers(caller.scopes, 'admin')) return { tenantId, account: null, maker: null };
  return { tenantId, account, maker: isPerson(caller) ? null : tokenId };
}

/**
 * Returns a new token's lifetime in seconds: one created by a generated token ends with it, at the latest.
 */
function secondsWithin(caller: Caller, now: Date, asked: number | undefined): Result<number, Refusal> {
  const max = isPerson(caller) ? Infinity : (caller.expiresAt.getTime() - now.getTime()) / 1000;
  if (asked === undefined || asked <= max) return ok(asked ?? Math.min(usualSeconds, max));
  return refusal('invalid_request', `expires_in: your own token expires sooner: at most ${max} s are left`);
}

type Limits = Pick<TokenRow, 'credentialIds' | 'agentDid'>;

function scopesWithin(caller: Caller, scopes: readonly Scope[]): Result<null, Refusal> {
  const missing = scopes.find((scope) => !covers(caller.scopes, scope));
  if (missing !== undefined)
    return refusal('insufficient_scope', `your own token does not have the scope ${missing}`);
  const own = scopes.find(isPersonsToGive);
  if (own === undefined || isPerson(caller) || covers(caller.scopes, 'admin')) return ok(null);
  return refusal('insufficient_scope', `the scope ${own} is given by people and admins`);
}

/** The limits of a new token, if they are within those of its maker. */
function limitsWithin(
  caller: Caller,
  scopes: readonly Scope[],
  asked: { readonly credential_ids?: readonly string[] | undefined; readonly agent_did?: string | undefined },
): Result<Limits, Refusal> {
  const given = scopesWithin(caller, scopes);
  if (!given.ok) return given;
  const credentialIds = asked.credential_ids?.map((id) => id.toLowerCase()) ?? caller.credentialIds;
  if (caller.credentialIds !== null && !credentialIds?.every((id) => caller.credentialIds?.includes(id)))
    return refusal('insufficient_scope', 'credential_ids: your own token does not reach all of them');
  const agentDid = asked.agent_did ?? caller.agentDid;
  if (caller.agentDid !== null && agentDid !== caller.agentDid)
    return refusal('insufficient_scope', 'agent_did: your own token is for another agent');
  return ok({ credentialIds, agentDid });
}

const showToken = ({ id, name, scopes, credentialIds, agentDid, ...row }: TokenRow) => ({
  id,
  name,
  scopes: [...scopes],
  ...(credentialIds !== null && { credential_ids: [...credentialIds] }),
  ...(agentDid !== null && { agent_did: agentDid }),
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  revoked_at: row.revokedAt?.toISOString() ?? null,
});
