import { ok, type Result } from '@countersign/protocol/result';
import { covers, type Scope } from '@countersign/protocol/vault/scopes';
import type { Pool } from '@countersign/service/sql';
import type { Caller, VaultHandlers } from '../callers.ts';
import { isUuid } from '@countersign/service/uuid';
import { type Refusal, refusal } from '../refusal.ts';
import { wholeSeconds } from './login-routes.ts';
import { listTokens, revokeToken, type TokenRow } from './store.ts';
import type { Tokens } from './tokens.ts';

type TokenParts = { readonly pool: Pool; readonly tokens: Tokens; readonly now: () => Date };

type TokenHandlers = Pick<VaultHandlers, 'createToken' | 'listTokens' | 'verifyToken' | 'revokeToken'>;

/** Generated tokens. Nobody gives away more than they hold. */
export function tokenHandlers({ pool, tokens, now }: TokenParts): TokenHandlers {
  return {
    async createToken({ body, caller }) {
      const scopes = [...new Set(body.scopes)];
      const limits = limitsWithin(caller, scopes, body);
      if (!limits.ok) return limits;
      const createdAt = wholeSeconds(now());
      const row = {
        ...limits.value,
        tenantId: caller.tenantId,
        account: caller.account,
        kind: 'api' as const,
        name: body.name,
        scopes,
        family: null,
        parent: caller.family === null ? caller.tokenId : null,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + body.expires_in * 1000),
      };
      const { id, token } = await tokens.issue(pool, 'access', row);
      const { revoked_at: _, ...shown } = showToken({ ...row, id, revokedAt: null });
      return ok({ ...shown, token });
    },

    async listTokens({ caller, query }) {
      const { items, total } = await listTokens(pool, heldBy(caller), query);
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
      const isDone = isUuid(id) && (await revokeToken(pool, { id, ...heldBy(caller) }, now()));
      return isDone ? ok({ id, revoked: true as const }) : refusal('not_found', 'there is no such token');
    },
  };
}

const invalid = (reason: 'malformed' | 'expired' | 'revoked') => ({ valid: false, reason });

/** Tokens that a caller may see and end: its own, or with `admin` all of its tenant. */
const heldBy = ({ tenantId, account, scopes }: Caller) => ({
  tenantId,
  account: covers(scopes, 'admin') ? null : account,
});

type Limits = Pick<TokenRow, 'credentialIds' | 'agentDid'>;

/** The limits of a new token, if they are within those of its maker. */
function limitsWithin(
  caller: Caller,
  scopes: readonly Scope[],
  asked: { readonly credential_ids?: readonly string[] | undefined; readonly agent_did?: string | undefined },
): Result<Limits, Refusal> {
  const missing = scopes.find((scope) => !covers(caller.scopes, scope));
  if (missing !== undefined) return refusal('insufficient_scope', `the own token lacks the scope ${missing}`);
  const credentialIds = asked.credential_ids?.map((id) => id.toLowerCase()) ?? caller.credentialIds;
  if (caller.credentialIds !== null && !credentialIds?.every((id) => caller.credentialIds?.includes(id)))
    return refusal('insufficient_scope', 'credential_ids: the own token does not reach all of them');
  const agentDid = asked.agent_did ?? caller.agentDid;
  if (caller.agentDid !== null && agentDid !== caller.agentDid)
    return refusal('insufficient_scope', 'agent_did: the own token is for another agent');
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
