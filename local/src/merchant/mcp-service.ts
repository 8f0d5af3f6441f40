import type { Logger } from '@countersign/service/logger';
import { silentTracer, type Tracer } from '@countersign/service/trace';
import { type HttpServer, startHttpServer } from '../http-server.ts';
import { sseTransport } from './sse-transport.ts';
import { type HttpTransport, streamableTransport } from './streamable-transport.ts';
import type { Tool } from './tool.ts';
import { tracedTool } from './traced-tool.ts';

export type McpServiceOptions = {
  readonly name: string;
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** `streamable-http`: sessions at /mcp. `sse`: the older pair /sse and /messages, and nothing else. */
  readonly transport: 'streamable-http' | 'sse';
  /**
   * How streamable HTTP answers a POST: with one JSON body, or an event stream (the official SDK's default).
   */
  readonly answer?: 'json' | 'event-stream';
  readonly tools: readonly Tool[];
  readonly log: Logger;
  readonly tracer?: Tracer;
};

/** An MCP service of these tools. Its `url` is where clients connect. */
export async function startMcpService(options: McpServiceOptions): Promise<HttpServer> {
  const { log, tracer = silentTracer } = options;
  const tools = options.tools.map((tool) => tracedTool(tool, log, tracer));
  const transport = transportOf({ ...options, tools });
  const at = { host: options.host ?? '127.0.0.1', port: options.port };
  const server = await startHttpServer(at, log, transport.handle);
  return {
    port: server.port,
    url: `${server.url}${transport.path}`,
    stop: async () => {
      const stopped = server.stop();
      await transport.close();
      await stopped;
    },
  };
}

function transportOf({ transport, name, tools, answer = 'json' }: McpServiceOptions): HttpTransport {
  switch (transport) {
    case 'streamable-http':
      return streamableTransport(name, tools, answer);
    case 'sse':
      return sseTransport(name, tools);
  }
}
