import { vaultDialect } from '@countersign/protocol/vault/dialect';

/** Answers a request. */
type Fetch<E> = (request: Request, env: E) => Response | Promise<Response>;

const allowed = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, traceparent, x-request-id',
  'access-control-max-age': '600',
};

/**
 * Lets pages of exactly these origins read our answers (the console's, which are served by the dashboard): the headers
 * of an answer to one of them. Tokens travel in a header, so there are no cookies to share.
 */
export const sharedWith = (origins: readonly string[]) => (sent: Headers) => {
  const origin = knownOrigin(origins, sent);
  return origin === null
    ? {}
    : { ...shareOf(origin), 'access-control-expose-headers': 'retry-after, x-request-id' };
};

/** Answers the question that browsers ask before such a page may send anything. */
export const withPreflights =
  <E>(origins: readonly string[], fetch: Fetch<E>): Fetch<E> =>
  (request, env) => {
    if (request.method !== 'OPTIONS') return fetch(request, env);
    const origin = knownOrigin(origins, request.headers);
    if (origin === null || !request.headers.has('access-control-request-method')) return fetch(request, env);
    return new Response(null, { status: 204, headers: { ...shareOf(origin), ...allowed } });
  };

const shareOf = (origin: string) => ({ 'access-control-allow-origin': origin, vary: 'Origin' });

function knownOrigin(origins: readonly string[], sent: Headers): string | null {
  const origin = sent.get('origin');
  return origin !== null && origins.includes(origin) ? origin : null;
}

const foreign = vaultDialect.refusal({
  code: 'insufficient_scope',
  msg: 'pages from this origin may not open a WebSocket here: see VAULT_CONSOLE_ORIGIN',
});

/** Any page may try to open a WebSocket, and its browser tells from where: only those of these origins get one. */
export const withoutForeignSockets =
  <E>(origins: readonly string[], fetch: Fetch<E>): Fetch<E> =>
  (request, env) => {
    const { headers } = request;
    const origin = headers.get('origin');
    const isSocket = headers.get('upgrade')?.toLowerCase() === 'websocket';
    if (!isSocket || origin === null || origins.includes(origin)) return fetch(request, env);
    return Response.json(foreign, { status: vaultDialect.status('insufficient_scope') });
  };
