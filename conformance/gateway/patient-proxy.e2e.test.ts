import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newPrivateKey } from '@countersign/local/market';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test } from 'vitest';
import { ask } from './fixtures/http.ts';
import {
  anyTool,
  type Message,
  type RawServiceOptions,
  type Reply,
  startRawService,
} from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';
import { startSharedGateway } from './fixtures/shared-process.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function raw(options: RawServiceOptions) {
  const service = await startRawService(options);
  open.push(service.stop);
  return service;
}

async function gatewayBefore(url: string, env: Record<string, string> = {}) {
  const gateway = await startSharedGateway({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: `desk=${url}`,
    DOWNSTREAM_CONNECT_RETRIES: '1',
    LOG_LEVEL: 'error',
    ...env,
  });
  open.push(gateway.stop);
  return gateway;
}

const echo = { serviceId: 'desk', toolName: 'echo' };
const call = { name: 'call_service_tool', arguments: echo };
const hello = { content: [{ type: 'text', text: 'hello' }] };

const events = ({ response }: Reply) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
};
const progress = ({ params }: Message, more: object) => ({
  method: 'notifications/progress',
  params: { progressToken: params?._meta?.['progressToken'], ...more },
});

test('progress passes whole: value, total and message, and a value that does not rise is made to [gateway.call.progress-passed-on]', async () => {
  const reports = [
    { progress: 0.5, total: 4, message: 'half a step' },
    { progress: 3, total: 4 },
    { progress: 2, total: 4, message: 'back' },
    { progress: 4, total: 4, message: 'done' },
  ];
  const service = await raw({
    call: (message, reply) => {
      const send = events(reply);
      for (const report of reports) send(progress(message, report));
      send({ id: message.id, result: hello });
      reply.response.end();
    },
  });
  const { agent } = await gatewayBefore(service.url);
  const heard: object[] = [];
  await agent.client.callTool(call, { onprogress: (report) => heard.push(report) });
  expect(heard).toEqual([reports[0], reports[1], { ...reports[2], progress: 3.001 }, reports[3]]);
});

test('a tool that reports progress is not cut off at its time-out, and not waited for without end either [gateway.call.progress-prolongs]', async () => {
  const timeoutMs = 1500;
  const service = await raw({
    tools: () => ({ tools: [anyTool('echo'), anyTool('endless')] }),
    call: (message, reply) => {
      const send = events(reply);
      const began = performance.now();
      let step = 0;
      const report = setInterval(() => {
        step += 1;
        send(progress(message, { progress: step }));
        if (message.params?.name === 'endless' || performance.now() - began < 2 * timeoutMs) return;
        clearInterval(report);
        send({ id: message.id, result: hello });
        reply.response.end();
      }, 100);
      reply.response.once('close', () => clearInterval(report));
    },
  });
  const { agent } = await gatewayBefore(service.url, { DOWNSTREAM_TIMEOUT_MS: String(timeoutMs) });
  await agent.list();
  const codeOf = async (input: object) =>
    (
      (await agent.client.callTool({ ...call, arguments: { ...input } }, { onprogress: () => {} }))
        .structuredContent as { code: string }
    ).code;
  expect(await codeOf(echo)).toBe('SUCCESS');
  const began = performance.now();
  expect(await codeOf({ ...echo, toolName: 'endless' })).toBe('DOWNSTREAM_TIMEOUT');
  const took = performance.now() - began;
  expect(took).toBeGreaterThan(9 * timeoutMs);
  expect(took).toBeLessThan(14 * timeoutMs);
});

/** What the official server asks for to make its streams resumable. */
function eventStore(): EventStore {
  const stored: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream, message) {
      const id = String(stored.length + 1);
      stored.push({ id, stream, message });
      return id;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const last = stored.find(({ id }) => id === lastEventId);
      const later = stored.filter(
        ({ id, stream }) => stream === last?.stream && Number(id) > Number(lastEventId),
      );
      for (const { id, message } of later) if ('jsonrpc' in message) await send(id, message);
      return last?.stream ?? '';
    },
  };
}

test('the official server closes its stream for polling: it is resumed with Last-Event-ID, and the answer comes [gateway.downstream.resumes-stream]', async () => {
  const server = new Server({ name: 'polled', version: '1' }, { capabilities: { tools: {} } });
  const tool = anyTool('echo') as unknown as { name: string; inputSchema: { type: 'object' } };
  let called = 0;
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool] }));
  server.setRequestHandler(CallToolRequestSchema, async (_request, { closeSSEStream }) => {
    called += 1;
    // The client has to come back for the answer, which is there only once it has.
    const resumed = until(
      async () => polls.length,
      (count) => count > 0,
    );
    closeSSEStream?.();
    await resumed;
    return hello;
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => 'one',
    eventStore: eventStore(),
    retryInterval: 200,
  });
  await server.connect(transport);
  const polls: string[] = [];
  const url = await serve((request, response) => {
    const last = request.headers['last-event-id'];
    if (request.method === 'GET' && last !== undefined) polls.push(String(last));
    void transport.handleRequest(request, response);
  });
  const { agent } = await gatewayBefore(url);
  await agent.list();
  expect(await agent.call(echo)).toMatchObject({
    code: 'SUCCESS',
    detail: { downstreamContent: hello.content },
  });
  expect([called, polls.length]).toEqual([1, 1]);
});

test('a stream that ends early and cannot be resumed is an answer that is none, at once [gateway.downstream.resumes-stream]', async () => {
  const service = await raw({
    call: (_, { response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('id: 7\nretry: 100\ndata: \n\n');
    },
  });
  const { agent } = await gatewayBefore(service.url);
  expect(await agent.call(echo)).toMatchObject({ code: 'DOWNSTREAM_TOOL_ERROR' });
  expect(
    service.seen.filter(({ method }) => method === 'GET').map(({ headers }) => headers['last-event-id']),
  ).toEqual(['7']);
});

test.each([307, 308])(
  'a %i within the same host is followed, with the body and our headers [gateway.downstream.redirect-within-host]',
  async (status) => {
    const service = await raw({});
    const paths: string[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/mcp') return void response.writeHead(status, { location: '/mcp/?v=2' }).end();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        expect(request.headers['x-key']).toBe('k');
        void fetch(service.url, { method: 'POST', body: Buffer.concat(chunks) }).then(async (answer) =>
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
        );
      });
    });
    const { agent } = await gatewayBefore(url, { DOWNSTREAM_MCP_HEADERS: '{"desk":{"x-key":"k"}}' });
    await agent.list();
    expect(await agent.call({ ...echo, arguments: { word: 'hi' } })).toMatchObject({
      code: 'SUCCESS',
      detail: { downstreamContent: [{ type: 'text', text: '{"word":"hi"}' }] },
    });
    expect(new Set(paths)).toEqual(new Set(['/mcp', '/mcp/?v=2']));
  },
);

test.each([
  ['another port', () => serve((_, response) => void response.writeHead(200).end())],
  ['TLS', async () => 'https:'],
])(
  'a redirect to %s is not followed, and the target is named [gateway.downstream.redirect-within-host]',
  async (_, target) => {
    let location = await target();
    const url = await serve((_request, response) => void response.writeHead(308, { location }).end());
    if (location === 'https:') location = url.replace('http:', 'https:');
    const { agent } = await gatewayBefore(url, { DOWNSTREAM_MCP_TRANSPORT: 'streamable-http' });
    const { detail } = await agent.call(echo);
    expect(detail.downstreamFailure).toEqual({
      reason: 'redirect',
      httpStatus: 308,
      redirectedTo: new URL(location).origin,
    });
  },
);

test('a redirect that goes round in circles ends [gateway.downstream.redirect-within-host]', async () => {
  let asked = 0;
  const url = await serve((request, response) => {
    if (request.method === 'POST') asked += 1;
    response.writeHead(307, { location: '/mcp' }).end();
  });
  const { agent } = await gatewayBefore(url, { DOWNSTREAM_MCP_TRANSPORT: 'streamable-http' });
  expect((await agent.call(echo)).code).toBe('DOWNSTREAM_UNAVAILABLE');
  expect(asked).toBeLessThanOrEqual(12);
});

test('nulls where nothing is cost nothing [gateway.downstream.nulls]', async () => {
  const service = await raw({
    tools: () => ({
      tools: [
        anyTool('echo', {
          description: null,
          annotations: null,
          outputSchema: null,
          title: null,
          _meta: null,
        }),
      ],
      nextCursor: null,
    }),
    call: (_, reply) => reply.result({ ...hello, isError: null, structuredContent: null, _meta: null }),
  });
  const { agent } = await gatewayBefore(service.url);
  expect(await agent.list()).toMatchObject([
    { status: 'connected', tools: [{ name: 'echo', description: '', inputSchema: { type: 'object' } }] },
  ]);
  const { code, detail } = await agent.call(echo);
  expect([code, detail.downstreamContent]).toEqual(['SUCCESS', hello.content]);
  expect(detail).not.toHaveProperty('downstreamStructuredContent');
});

test('a screening without an answer leaves words and a number, never null [gateway.decision.not-looked-up]', async () => {
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
  const extra = { name: 'USDC', version: '2' };
  const payTo = `0x${'22'.repeat(20)}`;
  const entry = {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '10000',
    asset,
    payTo,
    maxTimeoutSeconds: 60,
    extra,
  };
  const structuredContent = { x402Version: 2, resource: { url: 'a' }, accepts: [entry] };
  const service = await raw({
    call: (_, reply) => reply.result({ isError: true, content: [], structuredContent }),
  });
  const { agent, url } = await gatewayBefore(service.url, {
    PAYMENT_NETWORKS: 'eip155:84532',
    COMPLIANCE_BASE_URL: 'http://127.0.0.1:1',
    COMPLIANCE_API_KEY: 'key',
  });
  const { code, detail } = await agent.call(echo);
  expect(code).toBe('COMPLIANCE_API_ERROR');
  for (const decision of [detail.complianceDecision, detail.payeeComplianceDecision])
    expect(decision).toMatchObject({
      kycStatus: 'unknown',
      kytDecision: 'unknown',
      kytRiskLevel: 'unknown',
      kytRiskScore: 100,
    });
  const ready = await ask(new URL('/ready', url).href, { method: 'GET' });
  expect(JSON.parse(ready.body)).toMatchObject({ dashboard: 'unavailable' });
});
