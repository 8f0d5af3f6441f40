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
const heard: { method: string; authorization: string | undefined; token: unknown; body: string }[] = [];

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
    const { authorization, 'countersign-action-token': token } = request.headers;
    heard.push({ method: request.method ?? '', authorization, token, body });
    // Of what comes in between: the call got through, or did not.
    const status = /"name":"status-(\d+)"/.exec(body)?.[1];
    if (status !== undefined) return void response.writeHead(Number(status)).end();
    const code = /"name":"stumble-(\d+)"/.exec(body)?.[1];
    if (code !== undefined) {
      const { id } = JSON.parse(body) as { id: number };
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -Number(code), message: 'oops' } }),
      );
    }
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
  // Whoever checks the token uses it up: it goes with the call alone.
  expect(heard.map(({ token }) => token !== undefined)).toEqual(
    heard.map(({ body }) => body.includes('tools/call')),
  );
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

test('an error of the server leaves open whether the tool did it, unless it does the same however often [control-plane.execution.outcome]', async () => {
  for (const action of ['status-500', 'status-429', 'stumble-32603', 'stumble-32000', 'stumble-7'])
    expect({ action, end: await call(action) }).toMatchObject({
      action,
      end: { ended: 'unknown', problem: { code: 'outcome_unknown' } },
    });
  expect(await call('stumble-32600')).toMatchObject({ ended: 'failed', problem: { code: 'target_error' } });
  expect(await call('status-401')).toMatchObject({ ended: 'failed', targetStatus: 401 });
  expect(await call('status-307')).toMatchObject({ ended: 'failed', problem: { code: 'not_followed' } });
  for (const action of ['status-500', 'stumble-32603'])
    expect({ action, end: await call(action, {}, { idempotent_tools: [action] }) }).toMatchObject({
      action,
      end: { ended: 'failed', problem: { code: 'target_error' } },
    });
});

test('a tool that the connector does not offer is not called', async () => {
  const before = heard.length;
  expect(await call('add', { a: 1, b: 1 }, { tools: ['echo'] })).toMatchObject({
    ended: 'failed',
    problem: { code: 'invalid_params' },
  });
  expect(heard.length).toBe(before);
});
