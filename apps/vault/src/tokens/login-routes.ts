import { randomUUID } from 'node:crypto';
import { ok } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { isPerson, type VaultHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import type { CloseRevoked } from '../sandbox/close-revoked.ts';
import type { createLogin } from '../users/login.ts';
import { revokeFamily, revokeToken, spendRefreshToken, type TokenRow } from './store.ts';
import { type Tokens, whyNot } from './tokens.ts';

type LoginParts = {
  readonly pool: Pool;
  readonly tokens: Tokens;
  readonly login: Awaited<ReturnType<typeof createLogin>>;
  readonly closeRevoked: CloseRevoked;
  readonly now: () => Date;
};

export const accessSeconds = 15 * 60;
const refreshSeconds = 30 * 24 * 60 * 60;

/** Log in, go on with new tokens, log out. */
export function loginHandlers(parts: LoginParts): Pick<VaultHandlers, 'login' | 'refresh' | 'logout'> {
  const { pool, tokens, closeRevoked, now } = parts;
  const newPair = pairMaker(tokens, now);

  return {
    async login({ body, address }) {
      const checked = await parts.login({ ...body, address });
      if (checked.ok) {
        const { name: account, tenantId, scopes } = checked.value;
        return ok(await newPair(pool, { account, tenantId, scopes }, randomUUID()));
      }
      if (checked.error.kind === 'wrong')
        return refusal('unauthorized', 'the user name or password is wrong');
      const { seconds } = checked.error;
      const refused = refusal('rate_limited', `too many failed logins: wait ${seconds} s`);
      return { ...refused, headers: { 'retry-after': String(seconds) } };
    },

    async refresh({ body }) {
      const judged = await tokens.judge('refresh', body.refresh_token);
      if (judged.kind === 'malformed' || judged.kind === 'expired') return whyNot[judged.kind];
      // In one transaction: whoever shows the same token meanwhile waits, and then ends what was just made, too.
      const pair = await inTransaction(pool, async (db) => {
        const spent = await spendRefreshToken(db, judged.claims.jti, now());
        return spent?.family == null ? null : newPair(db, spent, spent.family);
      });
      if (pair !== null) return ok(pair);
      // Shown twice: it was stolen, or its thief was faster. Neither goes on.
      await revokeFamily(pool, judged.claims.jti, now());
      return whyNot.revoked;
    },

    async logout({ caller }) {
      const { tokenId: id, tenantId, account } = caller;
      if (isPerson(caller)) await revokeFamily(pool, id, now());
      else {
        await revokeToken(pool, id, { tenantId, account, maker: id }, now());
        await closeRevoked(caller);
      }
      return ok({ id, revoked: true as const });
    },
  };
}

/** Makes the access and the refresh token of one login. */
const pairMaker =
  (tokens: Tokens, now: () => Date) =>
  async (db: Queryable, whose: Pick<TokenRow, 'account' | 'tenantId' | 'scopes'>, family: string) => {
    const createdAt = wholeSeconds(now());
    const { account, tenantId, scopes } = whose;
    const about = { account, tenantId, scopes, family, createdAt, name: 'login' };
    const issue = (kind: 'access' | 'refresh', seconds: number) =>
      tokens.issue(db, kind, {
        ...about,
        kind,
        credentialIds: null,
        agentDid: null,
        parent: null,
        expiresAt: new Date(createdAt.getTime() + seconds * 1000),
      });
    const access = await issue('access', accessSeconds);
    const refresh = await issue('refresh', refreshSeconds);
    return {
      access_token: access.token,
      refresh_token: refresh.token,
      token_type: 'Bearer' as const,
      expires_in: accessSeconds,
    };
  };

/** Truncates to whole seconds, so that the time shown is the time that counts. */
export const wholeSeconds = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);
