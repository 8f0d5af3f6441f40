import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@countersign/service/logger';
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { type Caller, maySend } from '../access/caller.ts';
import type { Metadata } from '../access/metadata.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import { gatewayServers } from '../tools/server.ts';
import { nameSession } from './client-session.ts';
import { InFlight, readCancellation, requestName } from './in-flight.ts';
import { readJson, sendRpcError } from './messages.ts';
import { serveModern } from './modern.ts';
import { readToolCall, serveToolCall } from './tool-call.ts';
import { SharedHttpTransport } from './transport.ts';

export type McpEndpoint = {
  readonly serve: (request: IncomingMessage, response: ServerResponse, caller: Caller) => Promise<void>;
  /** Resolves when no call is in flight, or after `withinMs`. */
  readonly idle: (withinMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * MCP over HTTP. Clients of 2025 revisions share one server over our transport, and the tool calls that matter do
 * not even pass through that; clients of 2026-07-28 are answered by the SDK's own handler.
 */
export async function mcpEndpoint(
  ports: GatewayPorts,
  metadata: Metadata | null,
  log: Logger,
): Promise<McpEndpoint> {
  const servers = gatewayServers(ports, log);
  const transport = new SharedHttpTransport();
  await servers.create().connect(transport);
  const inFlight = new InFlight();
  const modern = createMcpHandler(() => servers.create(), { legacy: 'reject' });

  return {
    async serve(request, response, caller) {
      const { name: agent } = caller;
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
      if (!maySend(caller, read.value)) return refuseScope(response, metadata);
      const call = speaks2025(request) ? readToolCall(read.value) : null;
      const watched = (id: string | number) => inFlight.watch(requestName(request, agent, id), response);
      if (call !== null)
        return serveToolCall(servers, call, request, response, { name: agent, signal: watched(call.id) });
      const cancelled = readCancellation(read.value);
      if (cancelled !== null) {
        inFlight.cancel(requestName(request, agent, cancelled));
        response.writeHead(202).end();
        return;
      }
      const authInfo: AuthInfo | undefined =
        agent === null ? undefined : { token: '', clientId: agent, scopes: [] };
      const era = classifyInboundRequest({ httpMethod: 'POST', body: read.value, ...mcpHeaders(request) });
      if (era.kind !== 'legacy')
        return serveModern(modern, request, response, read.value, authInfo, watched(idOf(read.value)));
      serveLegacy(transport, request, response, read.value, authInfo);
    },
    idle: servers.idle,
    close: modern.close,
  };
}

function refuseScope(response: ServerResponse, metadata: Metadata | null): void {
  if (metadata !== null) response.setHeader('www-authenticate', metadata.challenge('insufficient_scope'));
  sendRpcError(response, 403, -32001, 'The token’s scope does not allow this.');
}

/** Empty for what is no request: nothing cancels that. */
const idOf = (message: unknown): string | number => (isJSONRPCRequest(message) ? message.id : '');

/** Returns whether the header allows it; a client of the first revisions sends none. */
function speaks2025({ headers }: IncomingMessage): boolean {
  const version = headers['mcp-protocol-version'];
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}

function serveLegacy(
  transport: SharedHttpTransport,
  request: IncomingMessage,
  response: ServerResponse,
  message: unknown,
  authInfo: AuthInfo | undefined,
): void {
  if (!speaks2025(request)) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return sendRpcError(response, 400, -32000, `MCP-Protocol-Version must be one of ${known}.`);
  }
  if (Array.isArray(message))
    return sendRpcError(response, 400, -32600, 'Batches are not supported: send one message per request.');
  if (isJSONRPCRequest(message)) {
    nameSession(message, response);
    return transport.request(message, response, authInfo);
  }
  // A response is taken and dropped: an approval is offered to the client, but only the owner's signature counts.
  if (isJSONRPCNotification(message)) transport.notification(message);
  response.writeHead(202).end();
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
