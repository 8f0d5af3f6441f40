import { createServer, type AddressInfo } from 'node:net';
import { newPrivateKey } from '@countersign/local/market';
import { afterEach, expect, test } from 'vitest';
import { anyTool, type Reply, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';
import { startSharedGateway } from './fixtures/shared-process.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

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
const refuse =
  (status: number, headers: Record<string, string> = {}) =>
  ({ response }: Reply): void =>
    void response.writeHead(status, headers).end();

const refusals: readonly [string, (reply: Reply) => void, object, RegExp][] = [
  ['401', refuse(401), { reason: 'unauthorized', httpStatus: 401 }, /DOWNSTREAM_MCP_HEADERS/],
  ['403', refuse(403), { reason: 'forbidden', httpStatus: 403 }, /DOWNSTREAM_MCP_HEADERS/],
  [
    '307 to another host',
    refuse(307, { location: 'https://elsewhere.example/mcp?key=secret' }),
    { reason: 'redirect', httpStatus: 307, redirectedTo: 'https://elsewhere.example' },
    /DOWNSTREAM_MCP_URLS/,
  ],
  [
    '429',
    refuse(429, { 'retry-after': '17' }),
    { reason: 'rate_limited', httpStatus: 429, retryAfter: 17 },
    /retryAfter/,
  ],
  ['503', refuse(503), { reason: 'http_error', httpStatus: 503 }, /try again/],
];

test.each(refusals)(
  'a call that is answered %s tells why as data, and what helps [gateway.code.downstream-unavailable.reason]',
  async (_, answer, failure, words) => {
    const service = await startRawService({ call: (_message, reply) => answer(reply) });
    open.push(service.stop);
    const { agent } = await gatewayBefore(service.url);
    await agent.list();
    const { code, message, detail } = await agent.call(echo);
    expect(code).toBe('DOWNSTREAM_UNAVAILABLE');
    expect(detail.downstreamFailure).toEqual(failure);
    expect(message).toMatch(words);
    expect(JSON.stringify(detail)).not.toContain('secret');
  },
);

test.each(refusals.slice(0, 3))(
  'a service that cannot be connected to for %s says so in the list and to calls [gateway.code.downstream-unavailable.reason] [gateway.list.stays-unavailable]',
  async (_, answer, failure) => {
    const service = await startRawService({ first: (_message, reply) => (answer(reply), true) });
    open.push(service.stop);
    const { agent } = await gatewayBefore(service.url);
    const [shown] = await until(
      () => agent.list(),
      ([one]) => one?.status === 'unavailable',
    );
    expect(shown?.failure).toEqual(failure);
    expect((await agent.call(echo)).detail.downstreamFailure).toEqual(failure);
  },
);

test.each(refusals.slice(0, 4))(
  'over SSE a service that answers %s tells as much [gateway.code.downstream-unavailable.reason]',
  async (_, answer, failure) => {
    const service = await startRawService({
      news: (response) => answer({ response } as Reply),
      first: (_message, reply) => (answer(reply), true),
    });
    open.push(service.stop);
    const { agent } = await gatewayBefore(service.url, { DOWNSTREAM_MCP_TRANSPORT: 'sse' });
    expect((await agent.call(echo)).detail.downstreamFailure).toEqual(failure);
  },
);

test('a closed port is told as refused [gateway.code.downstream-unavailable.reason]', async () => {
  const { agent } = await gatewayBefore('http://127.0.0.1:1/mcp');
  expect((await agent.call(echo)).detail.downstreamFailure).toEqual({ reason: 'refused' });
});

test('a service that failed stays unavailable, with its error, while it is tried again [gateway.list.stays-unavailable]', async () => {
  let tried = 0;
  const mute = createServer((socket) => {
    tried += 1;
    socket.resume().on('error', () => {});
  });
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  open.push(async () => void mute.close());
  const { agent } = await gatewayBefore(`http://127.0.0.1:${(mute.address() as AddressInfo).port}/mcp`, {
    DOWNSTREAM_TIMEOUT_MS: '1000',
    DOWNSTREAM_MCP_TRANSPORT: 'streamable-http',
  });
  await until(
    () => agent.list(),
    ([one]) => one?.status === 'unavailable',
  );
  const seen: unknown[] = [];
  await until(
    async () => {
      const [one] = await agent.list();
      seen.push([one?.status, one?.error]);
      return tried;
    },
    (times) => times >= 3,
  );
  expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify(['unavailable', 'no answer in time'])]),
  );
});

test('a look at the list starts no connection; the service comes back by itself [gateway.list.stays-unavailable]', async () => {
  let connections = 0;
  const service = await startRawService({
    tools: () => ({ tools: [anyTool('echo')] }),
    first: ({ method }) => {
      if (method === 'initialize') connections += 1;
      return false;
    },
    call: (_, { response }) => void response.destroy(),
  });
  open.push(service.stop);
  const { agent } = await gatewayBefore(service.url);
  await agent.list();
  await agent.call(echo);
  const lostAt = performance.now();
  for (let n = 0; n < 10; n++) await agent.list();
  // By itself it is tried again every two seconds at most.
  expect(connections).toBeLessThanOrEqual(1 + Math.floor((performance.now() - lostAt) / 1900));
  await until(
    () => agent.list(),
    ([one]) => one?.status === 'connected',
  );
  expect(connections).toBe(2);
});
