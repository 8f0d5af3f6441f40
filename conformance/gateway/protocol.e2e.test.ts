import { type GatewayProcess, startGatewayProcess } from '@countersign/local/gateway-process';
import { newPrivateKey } from '@countersign/local/market';
import { gatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { serviceList } from '@countersign/protocol/gateway/tools';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, callMessage, mcpHeaders, post } from './fixtures/http.ts';
import {
  anyTool,
  type Message,
  type RawService,
  type Reply,
  startRawService,
} from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';

let desk: RawService;
let gateway: GatewayProcess;
const working: { message: Message; reply: Reply }[] = [];
const callEcho = {
  name: 'call_service_tool',
  arguments: { serviceId: 'desk', toolName: 'echo', arguments: { word: 'hello' } },
};

beforeAll(async () => {
  desk = await startRawService({
    tools: () => ({ tools: [anyTool('echo'), anyTool('work')] }),
    call: (message, reply) => {
      if (message.params?.name === 'work') working.push({ message, reply });
      else reply.text(String(message.params?.arguments?.['word']));
    },
  });
  gateway = await startGatewayProcess(
    {
      EVM_PRIVATE_KEY: newPrivateKey(),
      DOWNSTREAM_MCP_URLS: `desk=${desk.url}`,
      GATEWAY_AUTH_TOKENS: 'tester:token-of-tester',
    },
    { token: 'token-of-tester' },
  );
  await gateway.agent.list();
});
afterAll(async () => {
  await gateway?.stop();
  await desk?.stop();
});

const authorization = 'Bearer token-of-tester';
const requestInit = { headers: { authorization } };

/** What every client must see, whatever its revision. */
async function expectBothTools(client: {
  listTools: () => Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<object>;
}): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['list_gateway_services', 'call_service_tool']);
  expect(tools[1]?.outputSchema).toBeDefined();
  const listed = await client.callTool({ name: 'list_gateway_services', arguments: {} });
  const called = await client.callTool(callEcho);
  const { services } = serviceList.parse((listed as { structuredContent: unknown }).structuredContent);
  expect(services.map(({ serviceId }) => serviceId)).toEqual(['desk']);
  const envelope = gatewayEnvelope.parse((called as { structuredContent: unknown }).structuredContent);
  expect(envelope).toMatchObject({
    ok: true,
    code: 'SUCCESS',
    detail: { downstreamContent: [{ type: 'text', text: 'hello' }] },
  });
}

test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of %s initializes, lists and calls [gateway.http.protocol-versions]',
  async (protocolVersion) => {
    const headers = { authorization };
    const clientInfo = { name: 'test', version: '1' };
    const hello = { protocolVersion, capabilities: {}, clientInfo };
    const first = await post(
      gateway.url,
      { jsonrpc: '2.0', id: 0, method: 'initialize', params: hello },
      headers,
    );
    expect(JSON.parse(first.body)).toMatchObject({
      result: { protocolVersion, serverInfo: { name: 'countersign' }, capabilities: { tools: {} } },
    });
    const later = { ...headers, 'mcp-protocol-version': protocolVersion };
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await post(gateway.url, ready, later)).status).toBe(202);
    const rpc = async (method: string, params: object) => {
      const { body } = await post(gateway.url, { jsonrpc: '2.0', id: 1, method, params }, later);
      return (JSON.parse(body) as { result: never }).result;
    };
    await expectBothTools({
      listTools: () => rpc('tools/list', {}),
      callTool: (call) => rpc('tools/call', call),
    });
    expect(await rpc('ping', {})).toEqual({});
  },
);

test('the official 1.x client lists and calls [gateway.http.protocol-versions]', async () => {
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(new OldTransport(new URL(gateway.url), { requestInit }));
  await expectBothTools(client);
  await client.close();
});

test('the official 2.x client speaks 2026-07-28 where it may choose, and lists and calls [gateway.http.protocol-versions]', async () => {
  const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit }));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  await expectBothTools(client);
  await client.close();
});

test('headers of 2026-07-28 that name another tool than the body are refused, and nothing is called [attack 23]', async () => {
  const before = desk.calls.length;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const message = callMessage(1, callEcho.arguments, meta);
  const headers = { authorization, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
  const lying = await post(gateway.url, message, { ...headers, 'mcp-name': 'list_gateway_services' });
  expect(lying.status).toBe(400);
  expect(desk.calls).toHaveLength(before);
  expect((await post(gateway.url, message, { ...headers, 'mcp-name': 'call_service_tool' })).status).toBe(
    200,
  );
});

test.each([
  ['2025-11-25', undefined],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } } as const],
])(
  'a client of %s that asks for progress gets the service’s, before the result [gateway.call.progress-passed-on]',
  async (_, options) => {
    const client = new ModernClient({ name: 'test', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit }));
    const told: string[] = [];
    const call = client.callTool(
      { name: 'call_service_tool', arguments: { serviceId: 'desk', toolName: 'work' } },
      { onprogress: ({ message }) => told.push(message ?? '') },
    );
    const [{ message, reply }] = await until(
      async () => working.splice(0) as [{ message: Message; reply: Reply }],
      (calls) => calls.length === 1,
    );
    const event = (body: object) =>
      reply.response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...body })}\n\n`);
    reply.response.writeHead(200, { 'content-type': 'text/event-stream' });
    const progressToken = message.params?._meta?.['progressToken'];
    for (const [n, words] of ['half way', 'almost done'].entries())
      event({
        method: 'notifications/progress',
        params: { progressToken, progress: n + 1, total: 2, message: words },
      });
    await until(
      async () => told.length,
      (n) => n === 2,
    );
    expect(told).toEqual(['half way', 'almost done']);
    event({ id: message.id, result: { content: [{ type: 'text', text: 'done' }] } });
    reply.response.end();
    expect(gatewayEnvelope.parse((await call).structuredContent).code).toBe('SUCCESS');
    await client.close();
  },
);

test('without a progress token the answer is one JSON body, and the service is not asked for progress', async () => {
  const answering = post(gateway.url, callMessage(1, { serviceId: 'desk', toolName: 'work' }), {
    authorization,
  });
  const [{ message, reply }] = await until(
    async () => working.splice(0) as [{ message: Message; reply: Reply }],
    (calls) => calls.length === 1,
  );
  expect(message.params?._meta).not.toHaveProperty('progressToken');
  reply.text('done');
  expect((await answering).headers['content-type']).toBe('application/json');
});

test('an unknown tool of the gateway is a protocol error that names the two there are', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } });
  const answer = await ask(gateway.url, { headers: { ...mcpHeaders, authorization }, body });
  expect(JSON.parse(answer.body)).toMatchObject({ id: 1, error: { code: -32602 } });
  expect(answer.body).toMatch(/list_gateway_services and call_service_tool/);
});
