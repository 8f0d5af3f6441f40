import { fail, ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { Provider } from 'oidc-provider';
import type { AgentRecord } from '../agents/store.ts';
import { showAgents } from '../agents/show.ts';
import { findAgent, findAgentsAmong } from '../agents/store.ts';
import type { DashboardHandlers, SessionCaller } from '../callers.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { whyNoLonger } from '../people/roles-now.ts';
import { type Answer, refusal, type Refusal } from '../refusal.ts';
import * as store from './connection-store.ts';
import { walletsBehind } from './gateway-store.ts';
import { answerRequest, findRequest, type WaitingRequest } from './requests.ts';

export type OauthParts = {
  readonly pool: Pool;
  /** Null: this dashboard is no authorization server. */
  readonly server: { readonly provider: Provider; readonly issuer: string } | null;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
};

const noRequest: Refusal = {
  code: 'BUSINESS_NOT_FOUND',
  msg: 'no client is waiting: the request may have expired, or was started in another browser',
};
const decided: Refusal = { code: 'REPEATED_SUBMIT', msg: 'this request was already answered' };

/** Clients that act as agents, as their owner decides about them: who asks, who is connected. */
export function connectionHandlers(
  parts: OauthParts,
): Pick<
  DashboardHandlers,
  'connectionRequest' | 'connectClient' | 'refuseClient' | 'listConnections' | 'disconnectClient'
> {
  const { pool, now } = parts;
  return {
    async connectionRequest({ params, headers, caller }) {
      const found = await waiting(parts, params['uid'], headers);
      if (found === null) return fail(noRequest);
      const { client, resource, scopes } = found;
      const wallets = await walletsBehind(pool, caller.account.id, resource);
      const agents = await findAgentsAmong(pool, caller.account.id, [...wallets], now());
      return ok({ client, resource, scopes: [...scopes], agents: await showAgents(parts, agents) });
    },

    async connectClient({ params, headers, body, caller }) {
      const found = await waiting(parts, params['uid'], headers);
      return found === null ? fail(noRequest) : connect(parts, found, body.agentId, caller);
    },

    async refuseClient({ params, headers }) {
      const found = await waiting(parts, params['uid'], headers);
      if (found === null) return fail(noRequest);
      if (found.interaction.result !== undefined) return fail(decided);
      const result = { error: 'access_denied', error_description: 'the owner refused' };
      return ok({ redirectTo: await answerRequest(found, result) });
    },

    async listConnections({ body: { agentId, page = 1, limit = 20 }, caller }) {
      const selection = { accountId: caller.account.id, agentId, page, limit };
      const { items, total } = await store.listConnections(pool, selection, now());
      return ok({ data: items.map(showConnection), total, page, limit });
    },

    async disconnectClient({ body: { connectionId }, caller }) {
      const grantId = await store.grantOfConnection(pool, caller.account.id, connectionId);
      if (grantId === null) return refusal('BUSINESS_NOT_FOUND', 'connection not found');
      await store.revokeGrant(pool, grantId, now());
      return ok({ connectionId });
    },
  };
}

const waiting = async ({ server }: OauthParts, uid: string | undefined, headers: Headers) =>
  server === null ? null : findRequest(server.provider, uid ?? '', headers);

async function connect(
  parts: OauthParts,
  found: WaitingRequest,
  agentId: string,
  caller: SessionCaller,
): Promise<Answer<{ redirectTo: string; connectionId: string }>> {
  const { pool, server, now, random } = parts;
  const { account, person } = caller;
  if (server === null) return fail(noRequest);
  if (found.interaction.result !== undefined) return fail(decided);
  const { clientId, client, resource, scopes, isOffline } = found;
  const agent = await findAgent(pool, account.id, agentId, now());
  const why = await whyNot(parts, agent, account.id, resource);
  if (agent === null || why !== null) return fail(why ?? noSuchAgent);
  const grant = new server.provider.Grant({ clientId, accountId: account.id });
  grant.addResourceScope(resource, scopes.join(' '));
  // Otherwise oidc-provider would ask the owner for it again, without end.
  if (isOffline) grant.addOIDCScope('offline_access');
  const grantId = await grant.save();
  const connection = {
    id: newId(random, 'con'),
    accountId: account.id,
    personId: person.id,
    agentId,
    grantId,
    clientId,
    clientName: client.name,
    verifiedHost: client.verifiedHost,
    returnsTo: client.returnsTo,
    resource,
    scopes,
    createdAt: now(),
  };
  const gone = await inTransaction(pool, async (db) => {
    const noLonger = await whyNoLonger(db, caller, 'connectClient');
    if (noLonger === null) await store.insertConnection(db, connection);
    return noLonger;
  });
  if (gone !== null) {
    await store.revokeGrant(pool, grantId, now());
    return fail(gone);
  }
  const result = { login: { accountId: account.id, remember: false }, consent: { grantId } };
  return ok({ redirectTo: await answerRequest(found, result), connectionId: connection.id });
}

const noSuchAgent: Refusal = { code: 'BUSINESS_NOT_FOUND', msg: 'agent not found' };

/** A client acts only as an agent that may pay now, and only at a gateway of that agent. */
async function whyNot(
  { pool }: OauthParts,
  agent: AgentRecord | null,
  accountId: string,
  resource: string,
): Promise<Refusal | null> {
  if (agent === null) return noSuchAgent;
  if (agent.state !== 'active')
    return { code: 'UNAUTHORIZED_OPERATION', msg: `the agent is ${agent.state}: sign for it first` };
  return (await walletsBehind(pool, accountId, resource)).has(agent.wallet)
    ? null
    : { code: 'UNAUTHORIZED_OPERATION', msg: 'the client asks for a gateway other than this agent’s' };
}

const showConnection = (record: store.ConnectionRecord) => ({
  connectionId: record.id,
  client: {
    name: record.clientName,
    verifiedHost: record.verifiedHost,
    documentUrl: record.verifiedHost === null ? null : record.clientId,
    returnsTo: record.returnsTo,
  },
  agentId: record.agentId,
  resource: record.resource,
  scopes: [...record.scopes],
  createdAt: record.createdAt.toISOString(),
  lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
});
