import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import * as client from 'openid-client';
import { type Failure, readError } from './failure.ts';
import { groupsIn } from './roles-of.ts';
import type { ProviderSettings } from './settings.ts';

/** The values that bind one round trip to the provider. None of them is stored as it is. */
export type Checks = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Whom the provider vouches for. `names` and `groups` are its words, unread. */
export type Vouched = {
  readonly issuer: string;
  readonly subject: string;
  readonly names: readonly unknown[];
  readonly groups: unknown;
};

export type Provider = {
  /** Returns the URL to which the browser must go. */
  readonly begin: (redirectUri: string, checks: Checks) => Promise<Result<URL, Failure>>;
  /** Who came back. `returned` is the redirect URI with what the provider put into it. */
  readonly finish: (returned: URL, checks: Checks) => Promise<Result<Vouched, Failure>>;
  /** Returns whether somebody could be led there now. */
  readonly answers: () => Promise<boolean>;
};

type Parts = { readonly now: () => Date; readonly log: Logger };

const timeoutSeconds = 5;
const toleranceSeconds = 60;
/** An identity token may list thousands of groups; more than this is nobody's. */
const maxBytes = 1024 * 1024;

/**
 * Speaks OpenID Connect (authorization code, PKCE, nonce) with the provider. The protocol is openid-client's. Metadata and keys are read
 * anew each time, so that a provider changes its keys when it likes; no redirect is followed, and signatures are checked, also over TLS.
 */
export function openProvider(settings: ProviderSettings, { now, log }: Parts): Provider {
  const { scope, groupClaim } = settings;
  const configure = () => configurationOf(settings, now());

  /** Returns the failure. INVARIANT: nothing of the provider's text is logged but its error code. */
  function failed(error: unknown): Result<never, Failure> {
    const failure = failureOf(error);
    const [code, cause] = [codeOf(error), error instanceof Error ? codeOf(error.cause) : undefined];
    log.warn({ failure, code, cause }, 'a login through the provider failed');
    return fail(failure);
  }

  return {
    async begin(redirectUri, { state, nonce, verifier }) {
      try {
        const challenge = await client.calculatePKCECodeChallenge(verifier);
        const asked = {
          redirect_uri: redirectUri,
          scope,
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        };
        return ok(client.buildAuthorizationUrl(await configure(), asked));
      } catch (error) {
        return failed(error);
      }
    },

    async finish(returned, { state, nonce, verifier }) {
      try {
        const config = await configure();
        const tokens = await client.authorizationCodeGrant(config, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined || !isOfIssuer(claims, config) || !isOfNow(claims.iat, now()))
          return failed(new Untrusted());
        const said = await tellMore(config, tokens.access_token, claims, groupClaim);
        const names = [said['name'], said['preferred_username']];
        return ok({ issuer: claims.iss, subject: claims.sub, names, groups: groupsIn(said, groupClaim) });
      } catch (error) {
        return failed(error);
      }
    },

    answers: () =>
      configure().then(
        () => true,
        () => false,
      ),
  };
}

async function configurationOf(
  { issuer, clientId, clientSecret }: ProviderSettings,
  now: Date,
): Promise<client.Configuration> {
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const known = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    execute: insecure,
    timeout: timeoutSeconds,
    [client.customFetch]: fetchLittle,
  });
  const server = known.serverMetadata();
  // The library reads the machine's clock; ours is a parameter.
  const skew = Math.round((now.getTime() - Date.now()) / 1000);
  const metadata = { [client.clockTolerance]: toleranceSeconds, [client.clockSkew]: skew };
  const auth = authenticationOf(server.token_endpoint_auth_methods_supported, clientSecret);
  const config = new client.Configuration(server, clientId, metadata, auth);
  config.timeout = timeoutSeconds;
  config[client.customFetch] = fetchLittle;
  client.enableNonRepudiationChecks(config);
  for (const allow of insecure) allow(config);
  return config;
}

/** The library's code, or the system's: no word of the provider's. */
const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

class Untrusted extends Error {}

/** OpenID Connect Core, 2: a subject has at most 255 ASCII characters. A tenant of its own is not the issuer that was configured. */
const isOfIssuer = ({ iss, sub }: client.IDToken, config: client.Configuration): boolean =>
  iss === config.serverMetadata().issuer && /^[\x21-\x7e]{1,255}$/.test(sub);

const isOfNow = (issuedAt: number, now: Date): boolean => issuedAt <= now.getTime() / 1000 + toleranceSeconds;

/** Many providers put groups and names behind the access token alone. */
async function tellMore(
  config: client.Configuration,
  accessToken: string,
  claims: client.IDToken,
  groupClaim: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { userinfo_endpoint: endpoint } = config.serverMetadata();
  const isWhole = claims[groupClaim] !== undefined && claims['name'] !== undefined;
  if (isWhole || endpoint === undefined) return claims;
  const more = await client.fetchUserInfo(config, accessToken, claims.sub);
  // A reference in either is one; what one of them has of it is not all.
  const referred = { ...namesIn(more), ...namesIn(claims) };
  return { ...more, ...claims, _claim_names: referred };
}

const namesIn = ({ _claim_names: names }: Readonly<Record<string, unknown>>): object =>
  typeof names === 'object' && names !== null ? names : {};

/** OpenID Connect Discovery, 3: without a word of the provider it is client_secret_basic. */
function authenticationOf(methods: readonly string[] | undefined, secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

async function fetchLittle(url: string, options: client.CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Untrusted();
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}

/** Errors that the library throws for an answer that arrived but cannot be trusted. */
const untrusted: ReadonlySet<unknown> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
]);

function failureOf(error: unknown): Failure {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return readError(error.error);
  if (error instanceof client.WWWAuthenticateChallengeError)
    return readError(error.cause[0]?.parameters.error);
  const isUntrusted =
    error instanceof Untrusted ||
    (error instanceof client.ClientError && (untrusted.has(error.code) || error.cause instanceof Untrusted));
  return isUntrusted ? 'untrusted_answer' : 'provider_unreachable';
}
