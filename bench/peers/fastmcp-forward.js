// FastMCP with one tool that forwards to a service: node fastmcp-forward.js PORT SERVICE_URL
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const [port, serviceUrl] = process.argv.slice(2);
const service = new Client({ name: 'fastmcp-forward', version: '1.0.0' });
await service.connect(new StreamableHTTPClientTransport(new URL(serviceUrl)));

const server = new FastMCP({ name: 'fastmcp-forward', version: '1.0.0' });
server.addTool({
  name: 'echo',
  description: 'Answers its arguments.',
  parameters: z.object({ city: z.string(), unit: z.string(), days: z.int(), detail: z.boolean() }),
  execute: (args) => service.callTool({ name: 'echo', arguments: args }),
});
await server.start({
  transportType: 'httpStream',
  // An event stream for each answer costs more.
  httpStream: { enableJsonResponse: true, host: '127.0.0.1', port: Number(port), endpoint: '/mcp' },
});
