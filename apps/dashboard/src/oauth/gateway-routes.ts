import type { TokenAnswer } from '@countersign/protocol/dashboard/oauth';
import { fail, ok } from '@countersign/protocol/result';
import { background } from '@countersign/service/background';
import { findAgentByWallet } from '../agents/store.ts';
import { type DashboardHandlers, isOfAnotherAgent } from '../callers.ts';
import { ofAnotherAgent, refusal } from '../refusal.ts';
import * as store from './connection-store.ts';
import { keepGateway, maxPlaces } from './gateway-store.ts';
import type { OauthParts } from './routes.ts';

/** Handles gateways' announcements of their address, and their introspection of tokens. */
export function gatewayHandlers({
  pool,
  server,
  now,
  log,
}: OauthParts): Pick<DashboardHandlers, 'announceGateway' | 'introspectTokens'> {
  return {
    async announceGateway({ body: { agentWallet: wallet, resource }, caller }) {
      if (caller.kind !== 'account') return noOwner;
      if (isOfAnotherAgent(caller, wallet)) return fail(ofAnotherAgent);
      const { id: accountId } = caller.account;
      const agent = await findAgentByWallet(pool, accountId, wallet, now());
      if (agent === null) return refusal('BUSINESS_NOT_FOUND', 'the account has no agent with this wallet');
      const place = { accountId, wallet, resource };
      if (!(await keepGateway(pool, place, now())))
        return refusal('REPEATED_SUBMIT', `the agent has ${maxPlaces} gateways with connected clients`);
      return ok({ issuer: server?.issuer ?? null });
    },

    async introspectTokens({ body: { tokenHashes }, caller }) {
      if (caller.kind !== 'account') return noOwner;
      if (server === null) return ok({ tokens: tokenHashes.map(() => ({ active: false })) });
      const found = await store.findAccessTokens(pool, tokenHashes, caller.account.id, now());
      const mine = tokenHashes.map((hash) => {
        const token = found.get(hash);
        return token === undefined || isOfAnotherAgent(caller, token.agentWallet) ? null : token;
      });
      const used = mine.flatMap((token) => token?.connectionId ?? []);
      if (used.length > 0)
        background(log, 'note the use of connections', store.touchConnections(pool, used, now()));
      return ok({ tokens: mine.map((token) => answerOf(token, server.issuer)) });
    },
  };
}

function answerOf(token: store.Token | null, iss: string): TokenAnswer {
  if (token === null) return { active: false };
  const { connectionId, aud, scopes, expiresAt, agentWallet } = token;
  return {
    active: true,
    iss,
    aud,
    exp: Math.floor(expiresAt.getTime() / 1000),
    scopes,
    agentWallet,
    connectionId,
  };
}

const noOwner = refusal('UNAUTHORIZED_OPERATION', 'this needs an API key of the owner’s account');
