import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { answerJson, type Handler } from '../http-server.ts';
import { mcpServer } from './mcp-server.ts';
import type { Tool } from './tool.ts';

/** One of the two ways in which MCP stands on HTTP. */
export type HttpTransport = {
  /** The path to which clients connect. */
  readonly path: string;
  readonly handle: Handler;
  /** Ends what would stay open for ever, after the calls in flight were answered. */
  readonly close: () => Promise<void>;
};

// Clients that never say good-bye would fill the memory: the oldest session gives way.
const maxSessions = 1000;

/** Streamable HTTP with sessions, at /mcp. */
export function streamableTransport(
  name: string,
  tools: readonly Tool[],
  answer: 'json' | 'event-stream',
): HttpTransport {
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: answer === 'json',
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        if (sessions.size > maxSessions) endOldest(sessions);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await mcpServer(name, tools).connect(transport);
    return transport;
  };

  return {
    path: '/mcp',
    handle: async (request, response) => {
      if (new URL(request.url ?? '/', 'http://service').pathname !== '/mcp') return notFound(response);
      const transport = await sessionOf(request, sessions, open);
      if (transport === null) sessionUnknown(response);
      else await transport.handleRequest(request, response);
    },
    // Calls in flight are requests in flight; only the streams that wait for news have no end of their own.
    close: async () => {
      for (const transport of sessions.values()) transport.closeStandaloneSSEStream();
    },
  };
}

function endOldest(sessions: Map<string, StreamableHTTPServerTransport>): void {
  for (const [id, transport] of sessions) {
    sessions.delete(id);
    void transport.close();
    return;
  }
}

/** A request without a session opens one, if it is `initialize`; the transport refuses every other. */
async function sessionOf(
  request: IncomingMessage,
  sessions: ReadonlyMap<string, StreamableHTTPServerTransport>,
  open: () => Promise<StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport | null> {
  const id = request.headers['mcp-session-id'];
  if (id === undefined) return open();
  return (typeof id === 'string' ? sessions.get(id) : undefined) ?? null;
}

/** The specification's sign for a client to begin a new session. */
function sessionUnknown(response: ServerResponse): void {
  answerJson(response, 404, {
    jsonrpc: '2.0',
    error: { code: -32001, message: 'Session not found' },
    id: null,
  });
}

export const notFound = (response: ServerResponse): void => answerJson(response, 404, { error: 'not found' });
