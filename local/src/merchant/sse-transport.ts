import { setImmediate as nextTurn } from 'node:timers/promises';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { answerJson } from '../http-server.ts';
import { mcpServer } from './mcp-server.ts';
import { type HttpTransport, notFound } from './streamable-transport.ts';
import type { Tool } from './tool.ts';

/** HTTP+SSE of 2024-11-05: a stream at /sse, messages to /messages. A POST to /sse is refused with 405. */
export function sseTransport(name: string, tools: readonly Tool[]): HttpTransport {
  const sessions = new Map<string, SSEServerTransport>();
  const calls = trackCalls(tools);

  return {
    path: '/sse',
    handle: async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
      const route = `${request.method} ${pathname}`;
      if (route === 'GET /sse') {
        const transport = new SSEServerTransport('/messages', response);
        sessions.set(transport.sessionId, transport);
        response.once('close', () => sessions.delete(transport.sessionId));
        await mcpServer(name, calls.tools).connect(transport);
      } else if (route === 'POST /messages') {
        const transport = sessions.get(searchParams.get('sessionId') ?? '');
        if (transport === undefined) notFound(response);
        else await transport.handlePostMessage(request, response);
      } else if (pathname === '/sse') {
        // Tells a client that tried streamable HTTP first to fall back.
        answerJson(response, 405, { error: 'method not allowed' });
      } else notFound(response);
    },
    close: async () => {
      await calls.ended();
      await nextTurn(); // The last answer is written after its call ended.
      for (const transport of sessions.values()) await transport.close();
    },
  };
}

/** Calls outlive the requests that brought them: their answers come over the stream. */
function trackCalls(tools: readonly Tool[]) {
  const running = new Set<Promise<unknown>>();
  const tracked = tools.map(
    (tool): Tool => ({
      definition: tool.definition,
      call: (args, meta) => {
        const call = tool.call(args, meta).finally(() => running.delete(call));
        running.add(call);
        return call;
      },
    }),
  );
  return { tools: tracked, ended: () => Promise.allSettled(running) };
}
