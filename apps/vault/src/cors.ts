import { vaultDialect } from '@countersign/protocol/vault/dialect';

/** Answers a request. */
type Fetch<E> = (request: Request, env: E) => Response | Promise<Response>;

const allowed = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, traceparent, x-request-id',
  'access-control-max-age': '600',
};

/**
 * Lets pages of exactly these origins read our answers (the console's, which are served by the dashboard). Tokens
 * travel in a header, so there are no cookies to share.
 */
export function withCors<E>(origins: readonly string[], fetch: Fetch<E>): Fetch<E> {
  if (origins.length === 0) return fetch;
  return async (request, env) => {
    const origin = request.headers.get('origin');
    if (origin === null || !origins.includes(origin)) return fetch(request, env);
    const share = { 'access-control-allow-origin': origin, vary: 'Origin' };
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method'))
      return new Response(null, { status: 204, headers: { ...share, ...allowed } });
    const response = await fetch(request, env);
    for (const [name, value] of Object.entries(share)) response.headers.set(name, value);
    response.headers.set('access-control-expose-headers', 'retry-after, x-request-id');
    return response;
  };
}

const foreign = vaultDialect.refusal({
  code: 'insufficient_scope',
  msg: 'pages of this origin may not open a WebSocket here: see VAULT_CONSOLE_ORIGIN',
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
