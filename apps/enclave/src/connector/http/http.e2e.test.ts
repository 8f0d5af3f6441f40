import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Connectors,
  dataOf,
  lending,
  runOf,
  type Service,
  startConnectors,
  startService,
} from '../../../test/connectors.ts';

const secret = 'sk-live/51H+8xQ=z';
let connectors: Connectors;
let service: Service;
beforeAll(async () => {
  connectors = await startConnectors({ keepsReady: 1 });
  service = await startService(({ url, headers }) => {
    if (url.includes('/moved')) return { status: 302, headers: { location: 'http://127.0.0.1:1/' } };
    if (url.includes('/refused')) return { status: 422, body: '{"why":"no"}' };
    if (url.includes('/cut')) return 'cut';
    if (url.includes('/hang')) return 'hang';
    if (url.includes('/large')) return { body: 'x'.repeat(9_000_000) };
    if (url.includes('/empty')) return { status: 204 };
    const sent = headers['x-api-key'] ?? headers.authorization ?? headers.cookie ?? '';
    const echo = {
      plain: sent,
      base64: Buffer.from(String(sent)).toString('base64'),
      url: encodeURIComponent(String(sent)),
    };
    return { headers: { 'x-echo': String(sent) }, body: JSON.stringify({ url, echo }) };
  });
});
afterAll(async () => {
  service.server.close();
  service.server.closeAllConnections();
  await connectors.stop();
});

const definition = (paths: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  openapi: '3.1.0',
  info: { title: 'orders', version: '1' },
  servers: [{ url: `${service.url}/api` }],
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      query: { type: 'apiKey', in: 'query', name: 'api_key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      oauth: { type: 'oauth2', flows: {} },
    },
    parameters: { Shop: { name: 'shop', in: 'path', required: true, schema: { type: 'string' } } },
  },
  paths,
  ...more,
});

const createOrder = {
  '/shops/{shop}/orders': {
    parameters: [{ $ref: '#/components/parameters/Shop' }],
    post: {
      operationId: 'createOrder',
      parameters: [
        { name: 'dry', in: 'query' },
        { name: 'X-Trace', in: 'header' },
      ],
      requestBody: { content: { 'application/json': {} } },
      security: [{ key: [] }],
    },
  },
};

const get = (path: string, more: Record<string, unknown> = {}) => ({
  [path]: { get: { operationId: 'read', ...more } },
});
const post = (path: string) => ({ [path]: { post: { operationId: 'write' } } });

test('an action is the operation of its id: params by name, the rest as the body, the credential where the document says [control-plane.connector.http.definition] [control-plane.connector.http.params] [control-plane.connector.http.credential]', async () => {
  const { lend, lent } = lending(secret);
  const params = { shop: 'a/b c', dry: true, 'X-Trace': 'one', amount: '12.50', lines: [{ sku: 'x' }] };
  const end = await connectors.run(
    runOf({ definition: definition(createOrder), action: 'createOrder', params, lend }),
  );
  expect(end).toMatchObject({ ended: 'completed', sandbox: { network: 'none', seccomp: true } });
  expect(service.heard.at(-1)).toMatchObject({
    method: 'POST',
    url: '/api/shops/a%2Fb%20c/orders?dry=true',
    body: JSON.stringify({ amount: '12.50', lines: [{ sku: 'x' }] }),
    headers: {
      'x-api-key': secret,
      'x-trace': 'one',
      'content-type': 'application/json',
      'idempotency-key': '7b0c5d0e-9d0e-4f43-8f8e-0a4f1f0b8d11',
      'countersign-action-token': 'v4.local.token',
      'countersign-action-statement': 'v4.public.statement',
    },
  });
  expect(lent.map((one) => one.every((byte) => byte === 0))).toEqual([true]);
});

test.each([
  ['bearer', secret, { authorization: `Bearer ${secret}` }],
  ['oauth', secret, { authorization: `Bearer ${secret}` }],
  ['basic', `me:${secret}`, { authorization: `Basic ${Buffer.from(`me:${secret}`).toString('base64')}` }],
  ['cookie', secret, { cookie: `session=${encodeURIComponent(secret)}` }],
])(
  'a credential goes where the scheme "%s" has it, and no echo of it comes back [control-plane.connector.http.credential]',
  async (scheme, credential, headers) => {
    const paths = get('/echo', { security: [{ [scheme]: [] }] });
    const end = await connectors.run(
      runOf({ definition: definition(paths), action: 'read', lend: lending(credential).lend }),
    );
    expect(service.heard.at(-1)?.headers).toMatchObject(headers);
    expect(end.ended).toBe('completed');
    const said = JSON.stringify(end);
    expect(said).toContain('███');
    for (const form of [secret, Buffer.from(credential).toString('base64'), encodeURIComponent(secret)])
      expect(said).not.toContain(form);
  },
);

test('where a document names schemes and no security, the credential goes into one of them, and none is needed [control-plane.connector.http.plain]', async () => {
  const document = definition(get('/echo'));
  await connectors.run(runOf({ definition: document, action: 'read', lend: lending(secret).lend }));
  expect(service.heard.at(-1)?.headers).toMatchObject({ 'x-api-key': secret });
  expect(await connectors.run(runOf({ definition: document, action: 'read' }))).toMatchObject({
    ended: 'completed',
  });
  expect(service.heard.at(-1)?.headers).not.toHaveProperty('x-api-key');
});

test('a key in the query is never seen again, and takes the place of one that was asked for', async () => {
  const paths = get('/echo', { parameters: [{ name: 'api_key', in: 'query' }], security: [{ query: [] }] });
  const params = { api_key: 'mine' };
  const end = await connectors.run(
    runOf({ definition: definition(paths), action: 'read', params, lend: lending(secret).lend }),
  );
  expect(service.heard.at(-1)?.url).toBe(`/api/echo?api_key=${encodeURIComponent(secret)}`);
  expect(dataOf(end)).toMatchObject({ url: '/api/echo?api_key=███' });
});

test('an operation that asks nobody who they are gets no credential, and leaves no record of one', async () => {
  const { lend, lent } = lending(secret);
  const open = get('/echo', { security: [] });
  const document = definition(open, { security: [{ key: [] }] });
  await connectors.run(runOf({ definition: document, action: 'read', lend }));
  expect(service.heard.at(-1)?.headers['x-api-key']).toBeUndefined();
  expect(lent).toEqual([]);
});

test('without a credential that opens, nothing is sent', async () => {
  const before = service.heard.length;
  const secured = definition(get('/echo', { security: [{ key: [] }] }));
  for (const lend of [null, () => Promise.resolve(false)])
    expect(await connectors.run(runOf({ definition: secured, action: 'read', lend }))).toMatchObject({
      ended: 'failed',
      problem: { code: 'credential_unusable' },
    });
  expect(service.heard.length).toBe(before);
});

test('what the service answers decides: refused, moved, nothing at all', async () => {
  const read = (path: string) => connectors.run(runOf({ definition: definition(get(path)), action: 'read' }));
  expect(await read('/refused')).toMatchObject({
    ended: 'failed',
    problem: { code: 'target_error', target_status: 422 },
    data: { why: 'no' },
  });
  expect(await read('/moved')).toMatchObject({
    ended: 'failed',
    problem: { code: 'not_followed', target_status: 302 },
  });
  expect(await read('/empty')).toMatchObject({ ended: 'completed', data: null });
  expect(await read('/large')).toMatchObject({ ended: 'failed', problem: { code: 'answer_too_large' } });
});

test('a lost answer or no time left: failed where nothing can have changed, else unknown', async () => {
  const of = (paths: Record<string, unknown>, action: string) =>
    connectors.run(runOf({ definition: definition(paths), action, timeoutMs: 5000 }));
  const ends = await Promise.all([
    of(get('/cut'), 'read'),
    of(post('/cut'), 'write'),
    of(get('/hang'), 'read'),
    of(post('/hang'), 'write'),
  ]);
  expect(ends).toMatchObject([
    { ended: 'failed', problem: { code: 'target_unreachable' } },
    { ended: 'unknown', problem: { code: 'target_unreachable' } },
    { ended: 'failed', problem: { code: 'connector_timeout' } },
    { ended: 'unknown', problem: { code: 'connector_timeout' } },
  ]);
  const { server } = service;
  const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  await expect.poll(open).toBe(0);
});

test('a sandbox that died before anything was done in it is replaced, once', async () => {
  let dying = 0;
  const others = await startConnectors({
    start: (start) => async () => {
      const started = await start();
      if (dying > 0 && started.ok) await started.value.stop();
      dying -= 1;
      return started;
    },
  });
  const before = service.heard.length;
  const write = () => others.run(runOf({ definition: definition(post('/echo')), action: 'write' }));
  dying = 1;
  expect(await write()).toMatchObject({ ended: 'completed' });
  expect(service.heard.length).toBe(before + 1);
  dying = 2;
  expect(await write()).toMatchObject({ ended: 'failed', problem: { code: 'connector_crashed' } });
  expect(service.heard.length).toBe(before + 1);
  await others.stop();
});

test('when nobody waits any more, it ends', async () => {
  const gone = new AbortController();
  const before = service.heard.length;
  const running = connectors.run(
    runOf({ definition: definition(post('/hang')), action: 'write', signal: gone.signal }),
  );
  await expect.poll(() => service.heard.length).toBe(before + 1);
  gone.abort();
  expect(await running).toMatchObject({ ended: 'unknown', problem: { code: 'cancelled' } });
});

test('params that do not fit are named, not told, and nothing is sent', async () => {
  const before = service.heard.length;
  const run = (params: Record<string, unknown>, action = 'createOrder') =>
    connectors.run(runOf({ definition: definition(createOrder), action, params }));
  expect(await run({})).toMatchObject({
    ended: 'failed',
    problem: { code: 'invalid_params', message: 'params.shop is missing.' },
  });
  expect(await run({ shop: '..' })).toMatchObject({ problem: { code: 'invalid_params' } });
  expect(await run({ shop: 'a', 'X-Trace': 'a\r\nHost: b' })).toMatchObject({
    problem: { code: 'invalid_params' },
  });
  expect(await run({}, 'dropAll')).toMatchObject({ problem: { code: 'invalid_params' } });
  expect(service.heard.length).toBe(before);
});
