import { legibleName } from '@countersign/protocol/legible-name';
import { isUrl } from '@countersign/protocol/url';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { z } from 'zod';

/** An error of RFC 7591, 3.2.2. */
export type MetadataError = {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly error_description: string;
};

/** The metadata that we keep of a client. Every client is public, so that there is no secret to lose. */
export type ClientMetadata = {
  readonly client_name?: string;
  readonly application_type: 'native' | 'web';
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly ['code'];
  readonly token_endpoint_auth_method: 'none';
};

const maxUris = 20;

const claimed = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string().max(2000)).min(1).max(maxUris),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/**
 * Reads client metadata (RFC 7591). What we do not know is left out, as the RFC says; a client that asks for a secret is
 * told `none` in its place, and PKCE protects its codes.
 */
export function readClientMetadata(document: unknown): Result<ClientMetadata, MetadataError> {
  const read = claimed.safeParse(document);
  if (!read.success) {
    const isUri = read.error.issues.some(({ path }) => path[0] === 'redirect_uris');
    return isUri
      ? refused(
          'invalid_redirect_uri',
          `redirect_uris must be 1 to ${maxUris} URIs of at most 2000 characters`,
        )
      : refused('invalid_client_metadata', 'the client metadata is not what RFC 7591 describes');
  }
  const { client_name, redirect_uris, grant_types, response_types } = read.data;
  if (!redirect_uris.every(isRedirectUri))
    return refused(
      'invalid_redirect_uri',
      'redirect_uris must be https, http on a loopback host, or a private URI scheme, without fragment or user name',
    );
  if (response_types !== undefined && !response_types.includes('code'))
    return refused('invalid_client_metadata', 'response_types must include code');
  const grants = grant_types ?? ['authorization_code'];
  if (!grants.includes('authorization_code'))
    return refused('invalid_client_metadata', 'grant_types must include authorization_code');
  return ok({
    ...(client_name !== undefined && { client_name: client_name.slice(0, 200) }),
    // What oidc-provider calls native: a loopback host with any port, and private schemes (RFC 8252).
    application_type: redirect_uris.every((uri) => new URL(uri).protocol === 'https:') ? 'web' : 'native',
    redirect_uris,
    grant_types: grants.includes('refresh_token')
      ? ['authorization_code', 'refresh_token']
      : ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
}

const refused = (error: MetadataError['error'], error_description: string) =>
  fail({ error, error_description });

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes that a browser or the system acts on by itself. */
const ownSchemes =
  /^(javascript|data|vbscript|file|filesystem|blob|about|view-source|ws|wss|ftp|mailto|tel|sms|intent|android-app|ms-[^:]*|search[^:]*|chrome|edge|resource|jar):$/;

function isRedirectUri(text: string): boolean {
  if (!isUrl(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return !loopback.has(hostname);
  if (protocol === 'http:') return loopback.has(hostname);
  return !ownSchemes.test(protocol);
}

const name = legibleName(z.string().max(80));

/** The client's name as it may be shown: null where nobody could read what stands there. */
export function shownName(clientName: string | undefined): string | null {
  const read = name.safeParse(clientName?.trim());
  return read.success ? read.data : null;
}

/** Returns where the browser is sent with the code: a host, or a private scheme. */
export function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}
