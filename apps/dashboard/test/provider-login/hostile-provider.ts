import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign as rsaSign } from 'node:crypto';
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
  const stranger = rsa().privateKey;
  let bend: Bend = {};
  const asked: string[] = [];
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string }>();

  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
  };

  function sign(claims: Json): string {
    const header = { alg: 'RS256', kid: 'honest', ...bend.header };
    const text = `${encoded(header)}.${encoded(claims)}`;
    const key = bend.key === undefined ? keys.privateKey : bend.key;
    if (key === null) return `${text}.`;
    if (typeof key === 'string')
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    return `${text}.${rsaSign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = new URL(request.url ?? '', issuer).pathname;
    asked.push(path);
    const bent = bend.answers?.[path];
    if (bent !== undefined) return bent;
    if (path === '/.well-known/openid-configuration') return json(200, bend.metadata?.(metadata) ?? metadata);
    if (path === '/jwks')
      return json(200, {
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'honest', alg: 'RS256' }],
      });
    if (path === '/userinfo') return json(200, bend.userinfo?.({ sub: 'ada' }) ?? { sub: 'ada' });
    return path === '/token' ? exchange(request) : json(404, {});
  }

  async function exchange(request: IncomingMessage): Promise<Answer> {
    const form = new URLSearchParams(await bodyOf(request));
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isTheirs =
      code !== undefined && code.challenge === challenge && code.redirectUri === form.get('redirect_uri');
    if (request.headers.authorization !== basic) return json(401, { error: 'invalid_client' });
    if (!isTheirs) return json(400, { error: 'invalid_grant', error_description: '<b>ours</b>' });
    const at = Math.floor(now() / 1000);
    const claims = {
      iss: issuer,
      sub: 'ada',
      aud: clientId,
      iat: at,
      exp: at + 300,
      nonce: code.nonce,
      groups: ['finance'],
    };
    const honest = {
      access_token: 'opaque',
      token_type: 'Bearer',
      id_token: sign(bend.claims?.(claims) ?? claims),
    };
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
    stranger,
    publicPem: keys.publicKey.export({ type: 'spki', format: 'pem' }) as string,
    stop: port.stop,
    bend: (next: Bend) => void (bend = next),
    /** Somebody logs in there: what their browser is led back with. */
    logIn(url: URL, change: Readonly<Record<string, string | undefined>> = {}) {
      const sent = (name: string) => url.searchParams.get(name) ?? '';
      const code = `code-${codes.size}-${Math.floor(now())}-${sent('state').slice(0, 8)}`;
      codes.set(code, {
        challenge: sent('code_challenge'),
        nonce: sent('nonce'),
        redirectUri: sent('redirect_uri'),
      });
      const returned: Record<string, string> = { code, state: sent('state'), iss: issuer };
      for (const [name, value] of Object.entries(change))
        if (value === undefined) delete returned[name];
        else returned[name] = value;
      return returned;
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
