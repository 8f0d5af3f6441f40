import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { connectionScopes } from '@countersign/protocol/dashboard/oauth';
import { readBytes } from '@countersign/service/http-input';
import type { RateLimit } from '@countersign/service/rate-limit';
import type { Provider } from 'oidc-provider';
import { type MetadataError, readClientMetadata } from './client-metadata.ts';
import { oauthPaths } from './paths.ts';

/** The paths at which the protocol itself is spoken. */
export const protocolPaths: readonly string[] = [
  oauthPaths.authorization,
  `${oauthPaths.authorization}/:uid`,
  oauthPaths.token,
  oauthPaths.registration,
  oauthPaths.revocation,
  oauthPaths.jwks,
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

export type Front = {
  /** An answer of ours, or null: oidc-provider has answered on `response`. */
  readonly answer: (
    request: Request,
    address: string,
    incoming: IncomingMessage,
    response: ServerResponse,
  ) => Promise<Response | null>;
};

export type FrontParts = {
  readonly provider: Provider;
  readonly issuer: string;
  readonly requests: RateLimit;
  /** Registrations, which write, and metadata documents, which are fetched. */
  readonly arrivals: RateLimit;
};

/** Stands before oidc-provider: what reaches it is limited, and has our own host, our own cookies and metadata that we read. */
export function oauthFront({ provider, issuer, requests, arrivals }: FrontParts): Front {
  const serve = provider.callback();
  return {
    async answer(request, address, incoming, response) {
      const path = new URL(request.url).pathname;
      const isRegistration = path === oauthPaths.registration;
      const wait =
        requests.take(address) ??
        (isRegistration || path === oauthPaths.authorization ? arrivals.take(address) : null);
      if (wait !== null) return tooMany(wait);
      const bytes = await readBytes(request);
      if (!bytes.ok) return refused(413, 'invalid_request', bytes.error.msg);
      const body = isRegistration && request.method === 'POST' ? registration(bytes.value) : bytes.value;
      if (!(body instanceof Uint8Array)) return refused(400, body.error, body.error_description);
      const asked = toProvider(request, Buffer.from(body), issuer, incoming);
      await serve(asked, response);
      return null;
    },
  };
}

/** The metadata as we keep it, in the place of what was sent; or why not. */
function registration(bytes: Uint8Array): Uint8Array | MetadataError {
  const read = readClientMetadata(parse(bytes));
  return read.ok ? Buffer.from(JSON.stringify(read.value)) : read.error;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}

const passedOn = [
  'accept',
  'authorization',
  'content-type',
  'origin',
  'access-control-request-method',
] as const;

/**
 * The request as oidc-provider is to see it. It makes URLs from the host, so that is the issuer's, whatever was sent; of the
 * cookies it gets those of a request that waits for consent, and none of a session.
 */
function toProvider(
  { method, url, headers }: Request,
  body: Buffer,
  issuer: string,
  { socket }: IncomingMessage,
): IncomingMessage {
  const { host, protocol } = new URL(issuer);
  const sent = Object.fromEntries(
    [...passedOn, 'access-control-request-headers'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const all = {
    ...sent,
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    cookie: ownCookies(headers.get('cookie') ?? ''),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  };
  const stream = Readable.from(body.length > 0 ? [body] : [], { objectMode: true });
  return Object.assign(stream, {
    method,
    url: withScope(url),
    headers: all,
    socket,
    httpVersion: '1.1',
  }) as unknown as IncomingMessage;
}

/** A client that asks for no scope asks for all (RFC 6749, 3.3). */
function withScope(text: string): string {
  const url = new URL(text);
  if (url.pathname === oauthPaths.authorization && (url.searchParams.get('scope') ?? '').trim() === '')
    url.searchParams.set('scope', connectionScopes.join(' '));
  return url.pathname + url.search;
}

const ownCookies = (cookies: string): string =>
  cookies
    .split(/; */)
    .filter((cookie) => cookie.startsWith('_interaction'))
    .join('; ');

const tooMany = (seconds: number): Response => {
  const answer = refused(429, 'temporarily_unavailable', `too many requests: wait ${seconds} s`);
  answer.headers.set('retry-after', String(seconds));
  return answer;
};

const refused = (status: number, error: string, error_description: string): Response =>
  Response.json({ error, error_description }, { status, headers: { 'cache-control': 'no-store' } });
