import { request as startRequest } from 'node:http';
import { type GatewayProcess, startGatewayProcess } from '@countersign/local/gateway-process';
import { newPrivateKey } from '@countersign/local/market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, callMessage, envelopeIn, mcpHeaders, post } from './fixtures/http.ts';
import { anyTool, type RawService, type Reply, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';

let desk: RawService;
let gateway: GatewayProcess;
let guarded: GatewayProcess;
/** Calls of the tool `wait`, which the test answers. */
const waiting: Reply[] = [];
const env = () => ({ EVM_PRIVATE_KEY: newPrivateKey(), DOWNSTREAM_MCP_URLS: `desk=${desk.url}` });
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const at = (path: string, { url }: GatewayProcess = gateway) => new URL(path, url).href;

beforeAll(async () => {
  desk = await startRawService({
    name: 'desk',
    tools: () => ({ tools: [anyTool('echo'), anyTool('wait')] }),
    call: ({ params }, reply) => {
      if (params?.name === 'wait') waiting.push(reply);
      else reply.text(String(params?.arguments?.['word']));
    },
  });
  [gateway, guarded] = await Promise.all([
    startGatewayProcess(env()),
    startGatewayProcess(
      { ...env(), GATEWAY_AUTH_TOKENS: 'alice:s3cret-one, bob:s3cret-two', LOG_LEVEL: 'info' },
      { token: 's3cret-one' },
    ),
  ]);
  await gateway.agent.list();
});
afterAll(async () => {
  await Promise.all([gateway?.stop(), guarded?.stop()]);
  await desk?.stop();
});

test('MCP is spoken at /mcp on the loopback and on no other path [gateway.http.endpoint] [gateway.tools.exactly-two]', async () => {
  expect(new URL(gateway.url).pathname).toBe('/mcp');
  expect(new URL(gateway.url).hostname).toBe('127.0.0.1');
  const answer = await post(gateway.url, list);
  expect(answer.status).toBe(200);
  const { result } = JSON.parse(answer.body) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name)).toEqual(['list_gateway_services', 'call_service_tool']);
  expect((await post(at('/'), list)).status).toBe(404);
  expect((await post(at('/mcp/other'), list)).status).toBe(404);
});

test.each([
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '10.0.0.1',
])(
  'a request for the host "%s" is refused, whatever it asks for [attack 20] [gateway.http.host-header]',
  async (host) => {
    for (const path of ['/mcp', '/health', '/ready', '/metrics'])
      expect((await ask(at(path), { headers: { ...mcpHeaders, host }, body: '{}' })).status).toBe(403);
  },
);

test.each(['127.0.0.1', 'localhost:4020', '[::1]:4020', 'LOCALHOST'])(
  'a request for the loopback name "%s" is served [gateway.http.host-header]',
  async (host) => {
    expect((await post(gateway.url, list, { host })).status).toBe(200);
  },
);

test.each(['http://evil.example', 'https://127.0.0.1.evil.example', 'null', 'file://', 'not a url'])(
  'a request from the page "%s" is refused [attack 20] [gateway.http.origin-header]',
  async (origin) => {
    const answer = await post(gateway.url, list, { origin });
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('evil');
  },
);

test('a page on the loopback itself may ask [gateway.http.origin-header]', async () => {
  expect((await post(gateway.url, list, { origin: 'http://localhost:5173' })).status).toBe(200);
});

test('without a known token everything but /health is 401 with WWW-Authenticate [gateway.auth.bearer-required] [gateway.auth.health-open]', async () => {
  const refused = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 'Bearer s3cret-on' },
    { authorization: 'Bearer' },
    { authorization: 'Basic czNjcmV0LW9uZTo=' },
    { authorization: 'Bearer alice:s3cret-one' },
  ];
  for (const headers of refused) {
    for (const path of ['/mcp', '/ready', '/metrics', '/other']) {
      const answer = await post(at(path, guarded), list, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  }
  const health = await ask(at('/health', guarded), { method: 'GET' });
  expect(health.status).toBe(200);
  for (const token of ['s3cret-one', 's3cret-two'])
    expect((await post(guarded.url, list, { authorization: `Bearer ${token}` })).status).toBe(200);
});

test('the token of an agent is not passed on to a service', async () => {
  await guarded.agent.call({ serviceId: 'desk', toolName: 'echo', arguments: { word: 'hi' } });
  expect(JSON.stringify(desk.seen)).not.toContain('s3cret');
  expect(desk.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

test('only POST is taken, and the answer to anything else names it', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
    const answer = await ask(gateway.url, { method, headers: mcpHeaders });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  }
});

test('what is no JSON-RPC message gets a JSON-RPC error, and the next request is served', async () => {
  const raw = (body: string, type = 'application/json') =>
    ask(gateway.url, { headers: { ...mcpHeaders, 'content-type': type }, body });
  const errorOf = ({ status, body }: { status: number; body: string }) => [
    status,
    (JSON.parse(body) as { error: { code: number } }).error.code,
  ];
  expect(errorOf(await raw('{"jsonrpc":'))).toEqual([400, -32700]);
  expect(errorOf(await raw(''))).toEqual([400, -32700]);
  expect(errorOf(await raw('null'))).toEqual([400, -32600]);
  expect(errorOf(await raw('{"id":1}'))).toEqual([400, -32600]);
  expect(errorOf(await raw(JSON.stringify([list, list])))).toEqual([400, -32600]);
  expect(errorOf(await raw('[]'))).toEqual([400, -32600]);
  expect(errorOf(await raw(JSON.stringify(list), 'text/plain'))).toEqual([415, -32000]);
  expect(errorOf(await post(gateway.url, list, { 'mcp-protocol-version': '1999-01-01' }))[0]).toBe(400);
  expect(errorOf(await post(gateway.url, { ...list, method: 'no/such' }))[1]).toBe(-32601);
  expect((await post(gateway.url, list)).status).toBe(200);
});

test('a body above 4 MiB is answered 413, told by its length or not', async () => {
  const big = Buffer.alloc(5 * 1024 * 1024, 0x20);
  expect((await ask(gateway.url, { headers: mcpHeaders, body: big })).status).toBe(413);
  const chunked = await ask(gateway.url, {
    headers: { ...mcpHeaders, 'transfer-encoding': 'chunked' },
    body: big,
  });
  expect(chunked.status).toBe(413);
  expect((await post(gateway.url, list)).status).toBe(200);
});

test('arguments nested without end are an envelope, not a crash [gateway.code.invalid-arguments]', async () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const body = JSON.stringify(
    callMessage(1, { serviceId: 'desk', toolName: 'echo', arguments: { deep: 0 } }),
  );
  const before = desk.calls.length;
  const answer = await ask(gateway.url, {
    headers: mcpHeaders,
    body: body.replace('"deep":0', `"deep":${deep}`),
  });
  expect(envelopeIn(answer.body).code).toBe('INVALID_ARGUMENTS');
  expect(desk.calls).toHaveLength(before);
});

test('a hundred clients with the same request ids each get their own answers', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const input = { serviceId: 'desk', toolName: 'echo', arguments: { word: `word ${n}` } };
      const { body } = await post(gateway.url, callMessage(7, input));
      return [(JSON.parse(body) as { id: number }).id, envelopeIn(body).words];
    }),
  );
  expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => [7, `word ${n}`]));
});

test('a client that hangs up cancels its own call and nobody else’s', async () => {
  const input = { serviceId: 'desk', toolName: 'wait' };
  const other = post(gateway.url, callMessage(1, input));
  await until(
    async () => waiting.length,
    (n) => n === 1,
  );
  const sent = startRequest(gateway.url, { method: 'POST', headers: mcpHeaders, agent: false });
  sent.on('error', () => {});
  sent.end(JSON.stringify(callMessage(1, input)));
  await until(
    async () => waiting.length,
    (n) => n === 2,
  );
  const abandoned = waiting[1]?.response;
  sent.destroy();
  await until(
    async () => abandoned?.destroyed,
    (gone) => gone === true,
  );
  await until(
    async () => desk.seen.some(({ body }) => body.includes('notifications/cancelled')),
    (told) => told,
  );
  waiting[0]?.text('still here');
  expect(envelopeIn((await other).body)).toEqual({ code: 'SUCCESS', words: 'still here' });
  waiting.length = 0;
});

test('GET /health is 200 while a service is dead; GET /ready and /metrics tell of it [gateway.health.liveness] [gateway.health.readiness] [gateway.health.metrics]', async () => {
  const dying = await startRawService({ name: 'dying' });
  const one = await startGatewayProcess({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: `desk=${desk.url},${dying.url}`,
    DOWNSTREAM_CONNECT_RETRIES: '1',
    COMPLIANCE_BASE_URL: desk.url,
    COMPLIANCE_API_KEY: 'key',
  });
  try {
    const get = (path: string) => ask(at(path, one), { method: 'GET' });
    const connected = { serviceId: 'dying', status: 'connected' };
    const first = await until(
      () => get('/ready'),
      ({ body }) => body.includes('"dying"'),
    );
    expect(JSON.parse(first.body)).toMatchObject({
      services: [{ serviceId: 'desk', status: 'connected' }, connected],
    });
    await dying.stop();
    await one.agent.call({ serviceId: 'dying', toolName: 'echo' });
    const ready = await get('/ready');
    expect(ready.status).toBe(503);
    expect(JSON.parse(ready.body)).toMatchObject({ dashboard: expect.any(String) as string });
    expect(ready.body).toMatch(/"serviceId":"dying","status":"(unavailable|connecting)"/);
    expect((await get('/health')).status).toBe(200);
    const metrics = await get('/metrics');
    expect(metrics.headers['content-type']).toMatch(/^text\/plain/);
    expect(metrics.body).toContain('countersign_gateway_service_up{service="desk"} 1');
    expect(metrics.body).toContain('countersign_gateway_service_up{service="dying"} 0');
    expect(metrics.body.match(/service_up\{/g)).toHaveLength(2);
    // Asking is enough for it to come back: nobody sends calls to a gateway that is not ready.
    const again = await startRawService({ name: 'dying', port: dying.port });
    await until(
      () => get('/ready'),
      ({ body }) => body.includes(JSON.stringify(connected)),
    );
    await again.stop();
  } finally {
    await one.stop();
  }
});

test('on SIGTERM a call in flight is answered, and the process ends at once after it [system.service.sigterm]', async () => {
  const leaving = await startGatewayProcess(env());
  await leaving.agent.list();
  const answer = leaving.agent.call({ serviceId: 'desk', toolName: 'wait' });
  await until(
    async () => waiting.length,
    (n) => n === 1,
  );
  process.kill(leaving.child.pid, 'SIGTERM');
  await until(
    () => ask(leaving.url, { method: 'GET' }).catch(() => null),
    (gone) => gone === null,
  );
  waiting[0]?.text('just in time');
  expect(await answer).toMatchObject({ code: 'SUCCESS' });
  const answeredAt = performance.now();
  const ended = leaving.stop();
  expect(await leaving.child.exited).toMatchObject({ code: 0 });
  expect(performance.now() - answeredAt).toBeLessThan(2000);
  await ended;
  waiting.length = 0;
});

test('the agent’s name and the trace id stand in the log of its call, its token does not [gateway.auth.agent-name] [gateway.envelope.trace-id] [system.service.logs] [system.service.logs-no-secret]', async () => {
  const { traceId } = await guarded.agent.call({ serviceId: 'desk', toolName: 'echo' });
  await guarded.agent.call({ serviceId: 'nobody', toolName: 'echo' });
  await guarded.stop();
  const { lastLines } = await guarded.child.exited;
  const lines = lastLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const calls = lines.filter(({ msg }) => msg === 'call');
  expect(calls).toContainEqual(expect.objectContaining({ agent: 'alice', traceId, code: 'SUCCESS' }));
  expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(calls.length);
  expect(lastLines.join('\n')).not.toContain('s3cret');
});
