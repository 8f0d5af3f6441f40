import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Connectors, lending, runOf, startConnectors } from '../../../test/connectors.ts';

const secret = 'mcp-token-8f3a';
let connectors: Connectors;
let server: Server;
let url: string;
const heard: { method: string; authorization: string | undefined; body: string }[] = [];

/** An MCP server of the official SDK, which answers with event streams, as it does by default. */
function mcpServer(): McpServer {
  const mcp = new McpServer({ name: 'shop', version: '1' });
  mcp.registerTool(
    'add',
    { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
    ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  );
  mcp.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: `you are ${secret}` }] }));
  mcp.registerTool('refuse', {}, () => ({ isError: true, content: [{ type: 'text', text: 'not today' }] }));
  return mcp;
}

beforeAll(async () => {
  connectors = await startConnectors({ keepsReady: 1 });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    heard.push({ method: request.method ?? '', authorization: request.headers.authorization, body });
    const transport = new StreamableHTTPServerTransport({});
    response.on('close', () => void transport.close());
    await mcpServer().connect(transport);
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  };
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await connectors.stop();
});

const call = (action: string, params: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  connectors.run(
    runOf({ type: 'mcp-tool', definition: { url, ...more }, action, params, lend: lending(secret).lend }),
  );

test('an action is the tool of its name, called with params, and the server is told who asks [control-plane.connector.mcp-tool]', async () => {
  expect(await call('add', { a: 2, b: 3 })).toMatchObject({ ended: 'completed', data: { sum: 5 } });
  const calls = heard.filter(({ body }) => body.includes('tools/call'));
  expect(calls.map(({ authorization }) => authorization)).toEqual([`Bearer ${secret}`]);
  expect(heard.every(({ method }) => method === 'POST')).toBe(true);
});

test('what a tool says of the credential does not come back', async () => {
  expect(await call('echo')).toMatchObject({
    ended: 'completed',
    data: [{ type: 'text', text: 'you are ███' }],
  });
});

test('a tool that refuses, and one that is not there, have not done it', async () => {
  expect(await call('refuse')).toMatchObject({
    ended: 'failed',
    problem: { code: 'target_error' },
    data: [{ type: 'text', text: 'not today' }],
  });
  expect(await call('nothing')).toMatchObject({ ended: 'failed', problem: { code: 'target_error' } });
});

test('a tool that the connector does not offer is not called', async () => {
  const before = heard.length;
  expect(await call('add', { a: 1, b: 1 }, { tools: ['echo'] })).toMatchObject({
    ended: 'failed',
    problem: { code: 'invalid_params' },
  });
  expect(heard.length).toBe(before);
});
