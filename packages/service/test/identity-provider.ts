import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const clientId = 'countersign';
export const clientSecret = 'a secret of the test & its provider: +/=%';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A port of this machine, whose requests go to what `serve` was last given. */
export async function openIssuer() {
  let handle: Handle = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (next: Handle) => void (handle = next),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** oidc-provider as somebody else's OpenID Connect provider, at which anybody of `people` logs in with any password. */
export async function startIdentityProvider() {
  const port = await openIssuer();
  const people = new Map<string, Readonly<Record<string, unknown>>>();
  const { Provider } = await import('oidc-provider');
  return {
    issuer: port.issuer,
    people,
    stop: port.stop,
    /** From now on it answers, and leads browsers back to these addresses. */
    open(redirectUris: readonly string[]) {
      const provider = new Provider(port.issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
        jwks: { keys: [signingKey()] },
        cookies: { keys: ['a key of the test'] },
        claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups', 'hasgroups'] },
        pkce: { required: () => true },
        ttl: {
          Interaction: 600,
          Session: 600,
          Grant: 600,
          AccessToken: 600,
          AuthorizationCode: 60,
          IdToken: 600,
        },
        findAccount: (_: unknown, id: string) => ({
          accountId: id,
          claims: async () => ({ ...people.get(id), sub: id }),
        }),
      });
      port.serve((request, response) => void provider.callback()(request, response));
    },
  };
}

const signingKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid: 'of-the-test',
});
