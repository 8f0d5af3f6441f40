import { generateKeyPairSync } from 'node:crypto';
import { connectionScopes } from '@countersign/protocol/dashboard/oauth';
import { parseUrl } from '@countersign/protocol/url';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { type Context, errors, interactionPolicy, Provider } from 'oidc-provider';
import { findAccountById } from '../accounts/store.ts';
import { isClientConnected } from './connection-store.ts';
import { errorPage, keepErrorsHere } from './error-page.ts';
import { documentReader, type FetchDocument } from './fetch-document.ts';
import { isGateway } from './gateway-store.ts';
import { interactionPath, oauthPaths } from './paths.ts';
import { recordsOf } from './record-store.ts';

export type ProviderParts = {
  readonly pool: Pool;
  /** The public origin of the dashboard. */
  readonly issuer: string;
  readonly cookieKey: Buffer;
  readonly fetchDocument: FetchDocument;
  readonly now: () => Date;
  readonly log: Logger;
};

type Owned = { readonly clientId: string };

const minutes = 60;
const days = 24 * 60 * minutes;

/** Lifetimes in seconds. A refresh token that is not used for 30 days is gone; consent is asked anew after a year. */
const ttl = {
  AccessToken: 60 * minutes,
  AuthorizationCode: minutes,
  RefreshToken: 30 * days,
  Grant: 365 * days,
  Interaction: 30 * minutes,
  Session: minutes,
  IdToken: minutes,
};

const scope = connectionScopes.join(' ');

/** The authorization server: what is said in the protocol is oidc-provider's, what is decided is ours. */
export function createProvider(parts: ProviderParts): Provider {
  const { pool, issuer, cookieKey, fetchDocument, now, log } = parts;
  const isConnected = (clientId: string) => isClientConnected(pool, clientId, now());
  const provider = new Provider(issuer, {
    adapter: recordsOf(pool, now),
    routes: oauthPaths,
    cookies: { keys: [cookieKey.toString('hex')] },
    // Nothing is signed: tokens are opaque. oidc-provider wants a key all the same, and warns of its own.
    jwks: { keys: [signingKey()] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    scopes: ['offline_access'],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    pkce: { required: () => true },
    clockTolerance: 0,
    ttl,
    features: featuresOf(pool, isConnected),
    fetch: documentReader(fetchDocument, now),
    findAccount: async (_: Context, id: string) =>
      (await findAccountById(pool, id)) === null
        ? undefined
        : { accountId: id, claims: () => Promise.resolve({ sub: id }) },
    interactions: {
      policy: interactionPolicy.base(),
      url: (_: Context, { uid }: { uid: string }) => interactionPath(uid),
    },
    // Each request is asked about, whatever was allowed before.
    loadExistingGrant: (ctx: Context) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : provider.Grant.find(grantId);
    },
    expiresWithSession: () => false,
    issueRefreshToken: (_: Context, client: { grantTypeAllowed: (type: string) => boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: () => true,
    revokeGrantPolicy: () => true,
    extraTokenClaims: () => undefined,
    clientBasedCORS: (_: Context, origin: string, client: { redirectUris: readonly string[] }) =>
      client.redirectUris.some((uri) => originOf(uri) === origin),
    renderError: (ctx: Context, { error }: { error: string }) => errorPage(ctx, error),
  });
  provider.proxy = true;
  keepErrorsHere(provider, isConnected);
  provider.on('server_error', (_, error) => log.error({ err: error }, 'oauth failed'));
  return provider;
}

/** oidc-provider's names of the requests that lead to consent, and on from it. */
const authorizing = new Set(['authorization', 'resume']);

const off = { enabled: false };

const featuresOf = (pool: Pool, isConnected: (clientId: string) => Promise<boolean>) => ({
  devInteractions: off,
  userinfo: off,
  rpInitiatedLogout: off,
  pushedAuthorizationRequests: off,
  dPoP: off,
  revocation: {
    enabled: true,
    allowedPolicy: (_: Context, client: Owned, token: Owned) => token.clientId === client.clientId,
  },
  registration: { enabled: true, issueRegistrationAccessToken: false },
  clientIdMetadataDocument: {
    enabled: true,
    ack: 'draft-02',
    cacheDuration: { min: 60, max: 60 * minutes },
    // Whoever asks for authorization is limited (front.ts); elsewhere nobody makes us fetch but a client that is connected.
    allowFetch: async (ctx: Context | undefined, id: string) =>
      ctx === undefined || authorizing.has(ctx.oidc.route) || (await isConnected(id)),
    allowClient: () => true,
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: (_: Context, __: unknown, oneOf?: readonly string[]) => onlyOne(oneOf),
    useGrantedResource: () => true,
    getResourceServerInfo: (ctx: Context, resource: string) => resourceServer(pool, ctx, resource),
  },
});

async function resourceServer(pool: Pool, { oidc }: Context, resource: string) {
  if (Array.isArray(oidc.params?.['resource'])) throw new errors.InvalidTarget('name one resource');
  if (!(await isGateway(pool, resource)))
    throw new errors.InvalidTarget('no gateway is known by this resource');
  return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: ttl.AccessToken };
}

/** A token is for one gateway, which the client names (RFC 8707). */
function onlyOne(oneOf: readonly string[] | undefined): string {
  if (oneOf?.length === 1 && oneOf[0] !== undefined) return oneOf[0];
  throw new errors.InvalidTarget('resource is required: the URL of the gateway’s MCP endpoint');
}

const originOf = (uri: string): string | null => parseUrl(uri)?.origin ?? null;

const signingKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'ES256',
});
