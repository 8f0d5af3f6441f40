import {
  createHash,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as rsaSign,
} from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientId, clientSecret, openIssuer } from '../../../../packages/service/test/identity-provider.ts';
import type { Json } from '../dashboard.ts';

/** How a test bends what the provider says. Each function gets what an honest one would say. */
export type Bend = {
  readonly metadata?: (honest: Json) => Json;
  readonly claims?: (honest: Json) => Json;
  readonly header?: Json;
  readonly key?: KeyObject | string | null;
  readonly token?: (honest: Json) => Json;
  readonly userinfo?: (honest: Json) => Json;
  /** What a path is answered with, in the place of the honest answer. */
  readonly answers?: Readonly<Record<string, Answer>>;
};
type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An OpenID Connect provider written for its lies; it knows nothing of the product's own reading. `now` in milliseconds. */
export async function startHostileProvider(now: () => number) {
  const port = await openIssuer();
  const { issuer } = port;
  const keys = rsa();
  const codes = newCodes();
  let bend: Bend = {};
  const asked: string[] = [];

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = new URL(request.url ?? '', issuer).pathname;
    asked.push(path);
    const bent = bend.answers?.[path];
    if (bent !== undefined) return bent;
    const honest = metadataOf(issuer);
    if (path === '/.well-known/openid-configuration') return json(200, bend.metadata?.(honest) ?? honest);
    const key = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'honest', alg: 'RS256' };
    if (path === '/jwks') return json(200, { keys: [key] });
    if (path === '/userinfo') return json(200, bend.userinfo?.({ sub: 'ada' }) ?? { sub: 'ada' });
    return path === '/token' ? exchange(request) : json(404, {});
  }

  async function exchange(request: IncomingMessage): Promise<Answer> {
    const nonce = codes.take(new URLSearchParams(await bodyOf(request)));
    if (request.headers.authorization !== basic) return json(401, { error: 'invalid_client' });
    if (nonce === null) return json(400, { error: 'invalid_grant', error_description: '<b>ours</b>' });
    const at = Math.floor(now() / 1000);
    const about = { iss: issuer, sub: 'ada', aud: clientId, iat: at, exp: at + 300, nonce };
    const claims = { ...about, groups: ['finance'] };
    const idToken = sign(bend, keys.privateKey, bend.claims?.(claims) ?? claims);
    const honest = { access_token: 'opaque', token_type: 'Bearer', id_token: idToken };
    return json(200, bend.token?.(honest) ?? honest);
  }

  port.serve((request, response) => {
    void answer(request).then(({ status, headers, body }) =>
      response.writeHead(status, headers ?? { 'content-type': 'application/json' }).end(body),
    );
  });

  return {
    issuer,
    asked,
    stranger: rsa().privateKey,
    publicPem: keys.publicKey.export({ type: 'spki', format: 'pem' }) as string,
    stop: port.stop,
    bend: (next: Bend) => void (bend = next),
    /** Somebody logs in there: what their browser is led back with. */
    logIn(url: URL, change: Readonly<Record<string, string | undefined>> = {}) {
      const honest = { code: codes.give(url), state: url.searchParams.get('state') ?? '', iss: issuer };
      const sent = Object.entries<string | undefined>({ ...honest, ...change });
      return Object.fromEntries(
        sent.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      );
    },
  };
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  authorization_response_iss_parameter_supported: true,
});

function sign(bend: Bend, own: KeyObject, claims: Json): string {
  const header = { alg: 'RS256', kid: 'honest', ...bend.header };
  const text = `${encoded(header)}.${encoded(claims)}`;
  const key = bend.key === undefined ? own : bend.key;
  if (key === null) return `${text}.`;
  if (typeof key === 'string') return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  return `${text}.${rsaSign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** Codes as RFC 6749 and 7636 want them: each once, for its own verifier and redirect URI. */
function newCodes() {
  const open = new Map<string, URLSearchParams>();
  return {
    give(url: URL): string {
      const code = randomBytes(16).toString('hex');
      open.set(code, url.searchParams);
      return code;
    },
    /** The nonce that it was asked with; null: it is nobody's. */
    take(form: URLSearchParams): string | null {
      const code = form.get('code') ?? '';
      const asked = open.get(code);
      open.delete(code);
      const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
      const isTheirs =
        asked?.get('code_challenge') === verifier.digest('base64url') &&
        asked.get('redirect_uri') === form.get('redirect_uri');
      return isTheirs ? asked.get('nonce') : null;
    },
  };
}

/** RFC 6749, 2.3.1: both are form-encoded before they are joined. */
const formed = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
const basic = `Basic ${Buffer.from(`${formed(clientId)}:${formed(clientSecret)}`).toString('base64')}`;

const json = (status: number, body: Json): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
