import { createHash, randomBytes } from 'node:crypto';
import type { Json } from '../dashboard.ts';

export const redirectUri = 'https://client.example/callback';
export const resource = 'https://gateway.example/mcp';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a browser was answered: where it is led, and the cookies that it has then. */
export type Led = {
  readonly status: number;
  readonly location: URL | null;
  readonly cookie: string;
  readonly text: string;
};

/** An OAuth client and a browser in the hands of a test: nothing in it knows the server’s own rules. */
export function oauthClient(url: string) {
  const register = async (metadata: object = {}) => {
    const response = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Test client',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        ...metadata,
      }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };

  const visit = async (path: string, cookie = ''): Promise<Led> => {
    const response = await fetch(new URL(path, url), { redirect: 'manual', headers: { cookie } });
    const location = response.headers.get('location');
    const set = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    return {
      status: response.status,
      location: location === null ? null : new URL(location, url),
      cookie: [cookie, ...set].filter((each) => each !== '').join('; '),
      text: await response.text(),
    };
  };

  /** A request for authorization as RFC 7636 and 8707 want it, with what it takes to use the code. */
  const authorize = async (clientId: string, change: Readonly<Record<string, string | undefined>> = {}) => {
    const verifier = randomBytes(32).toString('base64url');
    const given = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'some-state',
      resource,
      scope: 'services:read services:call',
      ...change,
    };
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(given)) if (value !== undefined) asked.set(name, value);
    const led = await visit(`/oauth/authorize?${asked.toString()}`);
    const uid = /^\/oauth\/interactions\/([\w-]+)$/.exec(led.location?.pathname ?? '')?.[1] ?? '';
    return { ...led, uid, verifier };
  };

  /** The error of a request for authorization on the page that its browser is shown; null: it waits for its owner. */
  const errorShown = async (clientId: string, change: Readonly<Record<string, string | undefined>> = {}) => {
    const { location, text, uid } = await authorize(clientId, change);
    if (uid !== '') return null;
    return location === null ? /<code>([a-z_]+)<\/code>/.exec(text)?.[1] : `sent to ${location.host}`;
  };

  return { register, visit, authorize, errorShown, ...tokenCalls(url) };
}

/** The endpoints that take a form. */
function tokenCalls(url: string) {
  const form = async (path: string, body: Readonly<Record<string, string>>) => {
    const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(body) });
    const text = await response.text();
    const read: Json = text === '' ? null : JSON.parse(text);
    return {
      status: response.status,
      headers: response.headers,
      body: read,
    };
  };

  const exchange = (clientId: string, code: string, verifier: string, change: object = {}) =>
    form('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      resource,
      ...change,
    });
  const refresh = (clientId: string, token: string, change: object = {}) =>
    form('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      ...change,
    });
  const revoke = (clientId: string, token: string) => form('/oauth/revoke', { client_id: clientId, token });

  return { exchange, refresh, revoke, form };
}
