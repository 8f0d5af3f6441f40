import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { GatewayConfig } from '../config.ts';
import type { GatewayPorts } from '../ports.ts';
import { createGatewayServer } from '../tools/server.ts';
import { bearerCheck, checkOrigin } from './guard.ts';
import { readJson, sendJson, sendRpcError } from './messages.ts';
import { serveModern } from './modern.ts';
import { SharedHttpTransport } from './transport.ts';

/** What the gateway tells of itself beside `/mcp`. */
export type Telling = {
  readonly ready: () => Promise<{ ready: boolean; report: object }>;
  readonly metrics: () => Promise<{ contentType: string; text: string }>;
};

export type GatewayHttp = { readonly url: URL; readonly close: () => Promise<void> };

/**
 * Serves MCP at `/mcp`. Clients of 2025 revisions share one server over our transport; those of 2026-07-28
 * are answered by the SDK's own handler.
 */
export async function serveHttp(
  ports: GatewayPorts,
  config: GatewayConfig,
  telling: Telling,
): Promise<GatewayHttp> {
  const transport = new SharedHttpTransport();
  await createGatewayServer(ports).connect(transport);
  const modern = createMcpHandler(() => createGatewayServer(ports), { legacy: 'reject' });
  const authenticate = bearerCheck(config.authTokens);

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = checkOrigin(request, config.http.host);
    if (refusal !== null) return sendRpcError(response, refusal.status, -32000, refusal.message);
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/health') return sendJson(response, 200, { status: 'ok' });
    const caller = authenticate(request);
    if (!caller.ok) {
      response.setHeader('www-authenticate', 'Bearer realm="countersign"');
      return sendRpcError(response, 401, -32001, 'A bearer token is needed: Authorization: Bearer <token>.');
    }
    if (path === '/mcp') return serveMcp(request, response, caller.agent);
    return tell(telling, path, response);
  };

  const serveMcp = async (
    request: IncomingMessage,
    response: ServerResponse,
    agent: string | null,
  ): Promise<void> => {
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return sendRpcError(
        response,
        405,
        -32000,
        'Method not allowed: this endpoint takes POST and keeps no sessions.',
      );
    }
    const read = await readJson(request);
    if (!read.ok) return sendRpcError(response, read.status, read.code, read.message);
    const authInfo: AuthInfo | undefined =
      agent === null ? undefined : { token: '', clientId: agent, scopes: [] };
    const era = classifyInboundRequest({ httpMethod: 'POST', body: read.value, ...mcpHeaders(request) });
    if (era.kind !== 'legacy') return serveModern(modern, request, response, read.value, authInfo);
    serveLegacy(transport, request, response, read.value, authInfo);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) sendRpcError(response, 500, -32603, 'Internal error');
      else response.destroy();
    });
  });
  await listen(server, config.http);
  const { port } = server.address() as AddressInfo;
  const host = config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host;
  return { url: new URL(`http://${host}:${port}/mcp`), close: () => closeGently(server, modern.close) };
}

function serveLegacy(
  transport: SharedHttpTransport,
  request: IncomingMessage,
  response: ServerResponse,
  message: unknown,
  authInfo: AuthInfo | undefined,
): void {
  if (Array.isArray(message))
    return sendRpcError(response, 400, -32600, 'Batches are not taken: send one message a request.');
  if (isJSONRPCRequest(message)) {
    const acceptsEvents = (request.headers.accept ?? '').includes('text/event-stream');
    return transport.request(message, response, acceptsEvents, authInfo);
  }
  if (isJSONRPCNotification(message)) {
    transport.notification(message);
    response.writeHead(202).end();
    return;
  }
  // A response: this server never asks a client of this era anything.
  if (typeof message === 'object' && message !== null && 'id' in (message as JSONRPCMessage)) {
    response.writeHead(202).end();
    return;
  }
  sendRpcError(response, 400, -32600, 'This is not a JSON-RPC 2.0 message.');
}

async function tell(telling: Telling, path: string | undefined, response: ServerResponse): Promise<void> {
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

function mcpHeaders({ headers }: IncomingMessage) {
  const text = (name: string): string | undefined =>
    typeof headers[name] === 'string' ? headers[name] : undefined;
  const version = text('mcp-protocol-version');
  const method = text('mcp-method');
  const name = text('mcp-name');
  return {
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  };
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

/** Takes no new connections, lets calls in flight end, then closes what is left open. */
async function closeGently(server: HttpServer, closeModern: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const forced = setTimeout(() => server.closeAllConnections(), 8000);
  await closed;
  clearTimeout(forced);
  await closeModern();
}
