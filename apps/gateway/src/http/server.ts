import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { arrivingWithin, maxArrivalMs } from '@countersign/service/arrival';
import { draining } from '@countersign/service/drain';
import type { Logger } from '@countersign/service/logger';
import type { GatewayConfig } from '../config.ts';
import type { Gateway } from '../app.ts';
import { authenticator } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import { type Metadata, metadataOf } from '../access/metadata.ts';
import type { TokenVerdict } from '../access/tokens.ts';
import { checkOrigin } from './guard.ts';
import { mcpEndpoint } from './mcp.ts';
import { sendJson, sendRpcError } from './messages.ts';

/** What the gateway reports of itself besides `/mcp`. */
export type Telling = {
  readonly ready: () => Promise<{ ready: boolean; report: object }>;
  readonly metrics: () => Promise<{ contentType: string; text: string }>;
};

export type GatewayHttp = { readonly url: URL; readonly close: () => Promise<void> };

/** Shorter than the 8 s that a process has to stop. */
const idleWithinMs = 6000;

/** Serves MCP at `/mcp`, and beside it what the gateway tells of itself. */
export async function serveHttp(
  { ports, judgeToken }: Pick<Gateway, 'ports' | 'judgeToken'>,
  config: GatewayConfig,
  telling: Telling,
  log: Logger,
): Promise<GatewayHttp> {
  const metadata = config.access === null ? null : metadataOf(config.access);
  const mcp = await mcpEndpoint(ports, metadata, log);
  const authenticate = authenticator(config.authTokens, judgeToken);
  const publicHost = config.access?.publicUrl.host ?? null;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = checkOrigin(request, config.http.host, publicHost);
    if (refusal !== null) return sendRpcError(response, refusal.status, -32000, refusal.message);
    const { url = '/' } = request;
    const path = url === '/mcp' ? url : url.split('?', 1)[0];
    if (path === '/health') return sendJson(response, 200, { status: 'ok' });
    const document = metadata?.at(path) ?? null;
    if (document !== null) return sendJson(response, 200, document);
    const found = authenticate(request);
    // Waiting for what is there already would cost every call.
    const caller = found instanceof Promise ? await found : found;
    if (typeof caller === 'string') return refuseCaller(response, caller, metadata);
    return path === '/mcp' ? mcp.serve(request, response, caller) : tell(telling, path, response, caller);
  };

  const server = createServer(arrivingWithin(maxArrivalMs), (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that hangs up while it sends is no trouble of ours.
      if (!request.destroyed) log.error({ err: error }, 'a request failed');
      if (!response.headersSent) sendRpcError(response, 500, -32603, 'Internal error');
      else response.destroy();
    });
  });
  const { drain } = draining(server);
  const close = async () => {
    // A call outlives its connection when the agent hung up after the payment was sent.
    await Promise.all([drain(), mcp.idle(idleWithinMs)]);
    await mcp.close();
  };
  await listen(server, config.http);
  const { port } = server.address() as AddressInfo;
  const host = config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host;
  return { url: new URL(`http://${host}:${port}/mcp`), close };
}

function refuseCaller(
  response: ServerResponse,
  why: Exclude<TokenVerdict, Caller> | 'none',
  metadata: Metadata | null,
): void {
  if (why === 'unavailable') {
    response.setHeader('retry-after', '2');
    return sendRpcError(response, 503, -32000, 'The token cannot be checked now: try again.');
  }
  const challenge =
    metadata?.challenge(why === 'none' ? null : 'invalid_token') ?? 'Bearer realm="countersign"';
  response.setHeader('www-authenticate', challenge);
  sendRpcError(response, 401, -32001, 'A bearer token is needed: Authorization: Bearer <token>.');
}

/** Answers machine callers only: the gateway's health is none of a connected client's business. */
async function tell(
  telling: Telling,
  path: string | undefined,
  response: ServerResponse,
  { scopes }: Caller,
): Promise<void> {
  if (scopes !== 'all') return sendRpcError(response, 403, -32000, 'A client may only use /mcp.');
  if (path === '/ready') {
    const { ready, report } = await telling.ready();
    return sendJson(response, ready ? 200 : 503, report);
  }
  if (path === '/metrics') {
    const { contentType, text } = await telling.metrics();
    response.writeHead(200, { 'content-type': contentType }).end(text);
    return;
  }
  sendRpcError(response, 404, -32000, 'Not found: MCP is at /mcp.');
}

function listen(server: HttpServer, { host, port }: GatewayConfig['http']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
