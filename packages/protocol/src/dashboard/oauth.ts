import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import { parseUrl } from '../url.ts';
import { agent } from './agents.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { listOf, page } from './page.ts';

/** Scopes of a connected client at a gateway: list services and tools; call tools, and thereby pay. */
export const connectionScopes = ['services:read', 'services:call'] as const;
export const connectionScope = z.enum(connectionScopes);
export type ConnectionScope = z.infer<typeof connectionScope>;

/** The URL of a gateway’s MCP endpoint as clients reach it: a resource of RFC 8707. */
export const gatewayResource = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine((text) => {
    const url = parseUrl(text);
    return url !== null && url.href === text && url.search === '' && url.hash === '' && url.username === '';
  }, 'must be written as browsers write it, without query, fragment and user name');

/** SHA-256 of an access token, in hex: the token itself never leaves the gateway. */
export const tokenHash = z.string().regex(/^[0-9a-f]{64}$/);

/** About so many tokens a gateway asks at once. */
export const maxTokensAsked = 300;

/** The dashboard's introspection of an access token (after RFC 7662). `active: false` gives no reason. */
export const tokenAnswer = z.discriminatedUnion('active', [
  z.object({ active: z.literal(false) }),
  z.object({
    active: z.literal(true),
    iss: z.string().describe('Issuer: the public origin of the dashboard'),
    aud: z.string().describe('The gateway’s MCP endpoint that the token is for'),
    exp: z.int().describe('Expiry, Unix seconds'),
    scopes: z.array(connectionScope),
    agentWallet: addressText.describe('The agent that the client acts as'),
    connectionId: z.string(),
  }),
]);
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** A client as its owner is shown it. Name and IDs are the client’s own words. */
const client = z.object({
  name: z.nullable(z.string()).describe('The name that the client gives itself; null if it cannot be shown'),
  verifiedHost: z
    .nullable(z.string())
    .describe('Host of the client’s metadata document, fetched from there; null for a registered client'),
  documentUrl: z
    .nullable(z.string())
    .describe('URL of that document, which is the client’s ID; null for a registered client'),
  returnsTo: z.string().describe('Host, or private URI scheme, that the browser is sent back to'),
});

const connection = z.object({
  connectionId: z.string(),
  client,
  agentId: z.string(),
  resource: z.string(),
  scopes: z.array(connectionScope),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type Connection = z.infer<typeof connection>;

/** OAuth at the gateway: who is connected, as which agent. The protocol’s own endpoints are under `/oauth` (spec: dashboard.oauth). */
export const oauthRoutes = {
  announceGateway: {
    method: 'POST',
    path: '/api/oauth/gateways',
    auth: 'api-key',
    scope: 'agents:announce',
    summary:
      'Announce the URL at which a gateway serves MCP for an agent wallet of the account, so that its owner can let clients act as this agent there; at most 20 per agent: one more replaces the oldest without a connected client',
    body: z.object({ agentWallet: addressText, resource: gatewayResource }),
    data: z.object({ issuer: z.nullable(z.string()).describe('Null if this dashboard offers no OAuth') }),
    refusals: ['BUSINESS_NOT_FOUND', 'UNAUTHORIZED_OPERATION', 'REPEATED_SUBMIT'],
  },
  introspectTokens: {
    method: 'POST',
    path: '/api/oauth/introspect',
    auth: 'api-key',
    scope: 'connections:read',
    summary:
      'Introspect access tokens of the account’s clients, by their SHA-256; answers come in the order of the request',
    body: z.object({ tokenHashes: z.array(tokenHash).min(1).max(maxTokensAsked) }),
    data: z.object({ tokens: z.array(tokenAnswer) }),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  connectionRequest: {
    method: 'GET',
    path: '/oauth/interactions/:uid/request',
    auth: 'session',
    summary: 'Get the client that asks to be connected, and the agents that it can act as',
    data: z.object({
      client,
      resource: z.string(),
      scopes: z.array(connectionScope),
      agents: z.array(agent).describe('The account’s agents behind this gateway that are not revoked'),
    }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  connectClient: {
    method: 'POST',
    path: '/oauth/interactions/:uid/connect',
    auth: 'session',
    summary: 'Let the client act as one of the agents; the browser then goes to redirectTo',
    body: z.object({ agentId: z.string().min(1).max(64) }),
    data: z.object({ redirectTo: z.string(), connectionId: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION'],
  },
  refuseClient: {
    method: 'POST',
    path: '/oauth/interactions/:uid/refuse',
    auth: 'session',
    summary: 'Refuse the client; the browser then goes to redirectTo',
    body: z.object({}),
    data: z.object({ redirectTo: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  listConnections: {
    method: 'POST',
    path: '/api/oauth/connections/list',
    auth: 'session',
    summary: 'List the clients that are connected, newest first, of all agents or of one',
    body: z.object({ agentId: z.string().min(1).max(64).optional(), ...page }),
    data: listOf(connection),
  },
  disconnectClient: {
    method: 'POST',
    path: '/api/oauth/connections/disconnect',
    auth: 'session',
    summary: 'Disconnect a client: gateways refuse its tokens within five seconds. Repeating it is harmless',
    body: z.object({ connectionId: z.string().min(1).max(64) }),
    data: z.object({ connectionId: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
