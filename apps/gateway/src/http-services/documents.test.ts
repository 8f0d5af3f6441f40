import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openPins } from '../pinning/pins.ts';
import { askFor, gatewayWith, openMerchant, readHere, sell, type Seen } from '../../test/http-merchant.ts';
import type { Result } from '@countersign/protocol/result';
import { connectHttp } from './connect.ts';
import { httpServices, type HttpServiceSetting } from './settings.ts';
import { required } from '../../test/samples.ts';

const open: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});
const kept = async <T extends { stop: () => Promise<void> }>(made: Promise<T>): Promise<T> => {
  const each = await made;
  open.push(each);
  return each;
};

const buy = {
  operationId: 'buy',
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 5 } }],
  requestBody: {
    content: {
      'application/json': { schema: { type: 'object', properties: { count: { type: 'integer' } } } },
    },
  },
};
const document = (more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'A\u200b shop', description: 'Sells\u202e things.' },
  servers: [{ url: '/v1' }],
  paths: { '/things/{id}': { post: buy } },
  ...more,
});

const means = { signIn: null, offerHosts: [], challengesAt: null, by: null, readDocument: readHere };

type Serve = (response: ServerResponse, request: Seen) => void;
const json =
  (body: unknown): Serve =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A merchant whose document is served so, and a gateway that knows where it is. */
async function merchantOf(serve: Serve, server?: string) {
  const merchant = await kept(
    openMerchant((request, response) => {
      if (request.url.startsWith('/openapi.json')) serve(response, request);
      else if (request.paid === null) askFor(response);
      else sell(response);
    }),
  );
  const setting = {
    openapi: `${merchant.origin}/openapi.json?key=1`,
    ...(server !== undefined && { server }),
  };
  const gateway = await kept(gatewayWith({ shop: setting }));
  return { ...merchant, gateway };
}

test('an operation of a document is listed, checked and paid like a tool [gateway.http-services.openapi] [gateway.http-services.pays]', async () => {
  const { gateway, seen, origin } = await merchantOf(json(document()));
  expect(await gateway.services.list({})).toMatchObject([
    {
      serviceId: 'shop',
      name: 'A shop',
      instructions: 'Sells things.',
      url: `${origin}/openapi.json`,
      transport: 'http',
      status: 'connected',
      tools: [{ name: 'buy', inputSchema: { required: ['id'] } }],
    },
  ]);
  expect(await gateway.call({ id: 'a', body: { count: 2 } })).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true, downstreamContent: [{ type: 'text', text: '{"sold":true}' }] },
  });
  const sent = { url: '/v1/things/a', method: 'POST', body: '{"count":2}' };
  expect(seen.slice(1)).toEqual([
    { ...sent, paid: null },
    { ...sent, paid: 'payment-signature' },
  ]);
  for (const args of [
    {},
    { id: 'too long' },
    { id: '..' },
    { id: 'a', other: 1 },
    { id: 'a', body: { count: 'x' } },
  ])
    expect(await gateway.call(args)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  expect(await gateway.call({}, 'sell')).toMatchObject({ code: 'TOOL_NOT_FOUND' });
  expect(seen).toHaveLength(3);
});

test('operations are on the server that the owner names, and the document is not asked for them [gateway.http-services.server-host]', async () => {
  const elsewhere = await kept(
    openMerchant((request, response) => (request.paid === null ? askFor(response) : sell(response))),
  );
  const { gateway, seen } = await merchantOf(
    json(document({ servers: [{ url: 'https://evil.example' }] })),
    `${elsewhere.origin}/api`,
  );
  expect(await gateway.call({ id: 'a' })).toMatchObject({ code: 'SUCCESS' });
  expect(elsewhere.seen).toMatchObject([
    { url: '/api/things/a' },
    { url: '/api/things/a', paid: 'payment-signature' },
  ]);
  expect(seen).toHaveLength(1);
});

test('an operation on a server of its own is called and paid there, and one on another host is not called [gateway.http-services.server-host]', async () => {
  const stranger = await kept(openMerchant((_, response) => askFor(response)));
  const paths = {
    '/things/{id}': { servers: [{ url: '/v2' }], post: buy },
    '/stray': { get: { operationId: 'stray', servers: [{ url: stranger.origin }] } },
  };
  const { gateway, seen } = await merchantOf(json(document({ paths })));
  expect(await gateway.call({ id: 'a' })).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  const sent = { url: '/v2/things/a', method: 'POST' };
  expect(seen.slice(1)).toMatchObject([sent, { ...sent, paid: 'payment-signature' }]);
  expect(await gateway.call({}, 'stray')).toMatchObject({ code: 'TOOL_NOT_FOUND' });
  expect(stranger.seen).toEqual([]);
});

const redirect =
  (location: string): Serve =>
  (response) =>
    void response.writeHead(302, { location }).end();

test.each<[string, Serve, object]>([
  [
    'has its operations elsewhere',
    json(document({ servers: [{ url: 'http://169.254.169.254/' }] })),
    { reason: 'redirect', redirectedTo: 'http://169.254.169.254' },
  ],
  [
    'is at another host',
    redirect('http://169.254.169.254/openapi.json'),
    { reason: 'redirect', redirectedTo: 'http://169.254.169.254' },
  ],
  ['redirects without end', redirect('/openapi.json'), { reason: 'redirect', httpStatus: 302 }],
  ['is neither JSON nor YAML', (response) => void response.end('openapi: 3.1.0: x'), { reason: 'not_mcp' }],
  [
    'is larger than 4 MiB',
    json(document({ paths: { '/a': 'x'.repeat(4 * 1024 * 1024) } })),
    { reason: 'not_mcp' },
  ],
  [
    'is compressed unasked',
    (response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(document()))),
    { reason: 'not_mcp' },
  ],
  [
    'is not there',
    (response) => void response.writeHead(404).end('secret words'),
    { reason: 'http_error', httpStatus: 404 },
  ],
])(
  'a service whose document %s is unavailable, and nothing of it is told [gateway.http-services.openapi]',
  async (_, serve, failure) => {
    const { gateway, seen } = await merchantOf(serve);
    expect(await gateway.call({ id: 'a' })).toMatchObject({
      code: 'DOWNSTREAM_UNAVAILABLE',
      detail: { downstreamFailure: failure },
    });
    const [service] = await gateway.services.list({});
    expect(service).toMatchObject({ status: 'unavailable', transport: 'http', tools: [] });
    expect(JSON.stringify(service)).not.toContain('secret');
    expect(seen.every(({ url }) => url.startsWith('/openapi.json'))).toBe(true);
  },
);

test('an operation that moves under its name is not called until it is accepted [gateway.http-services.pinned]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-pins-'));
  let paths: object = { '/things/{id}': { post: buy } };
  const merchant = await kept(
    openMerchant((request, response) => {
      if (request.url === '/openapi.json') json(document({ paths }))(response, request);
      else response.end('ok');
    }),
  );
  const callAnew = async (toolName = 'buy') => {
    const pins = openPins(dir);
    const gateway = await gatewayWith({ shop: { openapi: `${merchant.origin}/openapi.json` } }, {}, pins);
    const { code } = await gateway.call({ id: 'a' }, toolName);
    await gateway.stop();
    await pins.close();
    return code;
  };
  expect(await callAnew()).toBe('SUCCESS');
  paths = { '/admin/{id}': { post: buy } };
  expect(await callAnew()).toBe('TOOL_DEFINITION_CHANGED');
  paths = { '/things/{id}': { delete: buy } };
  expect(await callAnew()).toBe('TOOL_DEFINITION_CHANGED');
  const option = (where: string) => ({
    '/things/{id}': {
      post: { ...buy, operationId: 'set', parameters: [...buy.parameters, { name: 'as', in: where }] },
    },
  });
  paths = option('query');
  expect(await callAnew('set')).toBe('SUCCESS');
  paths = option('header');
  expect(await callAnew('set')).toBe('TOOL_DEFINITION_CHANGED');
  paths = { '/things/{id}': { post: buy } };
  expect(await callAnew()).toBe('SUCCESS');
  rmSync(dir, { recursive: true });
});

test('what is read to see whether a service still lives moves no tool under its name [gateway.http-services.pinned]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-pins-'));
  const pins = openPins(dir);
  const weather = { operationId: 'weather', parameters: [{ name: 'id', in: 'query' }] };
  let paths: object = { '/weather': { get: weather } };
  let hangs = true;
  const merchant = await kept(
    openMerchant((request, response) => {
      if (request.url === '/openapi.json') json(document({ paths }))(response, request);
      else if (!hangs) response.end('ok');
    }),
  );
  const shop = { shop: { openapi: `${merchant.origin}/openapi.json` } };
  const gateway = await kept(gatewayWith(shop, { DOWNSTREAM_TIMEOUT_MS: '300' }, pins));
  await gateway.services.list({});
  const parameters = [{ name: 'id', in: 'path', required: true }];
  paths = { '/orders/{id}': { delete: { operationId: 'weather', parameters } } };
  for (let n = 0; n < 5; n++)
    expect(await gateway.call({ id: 7 }, 'weather')).toMatchObject({ code: 'DOWNSTREAM_TIMEOUT' });
  await expect.poll(() => merchant.seen.filter(({ url }) => url === '/openapi.json').length).toBe(2);
  hangs = false;
  expect(await gateway.call({ id: 7 }, 'weather')).toMatchObject({ code: 'SUCCESS' });
  expect(merchant.seen.at(-1)).toMatchObject({ method: 'GET', url: '/v1/weather?id=7' });
  await pins.close();
  rmSync(dir, { recursive: true });
});

test('a price whose resource is another operation of the same service is refused; any other name is a label [gateway.http-services.bad-demands]', async () => {
  let resource = '';
  const paths = { '/things/{id}': { post: buy }, '/yachts': { get: { operationId: 'yacht' } } };
  const merchant = await kept(
    openMerchant((request, response) => {
      if (request.url === '/openapi.json') json(document({ paths }))(response, request);
      else if (request.paid === null) askFor(response, { ...required(), resource: { url: resource } });
      else sell(response);
    }),
  );
  const gateway = await kept(gatewayWith({ shop: { openapi: `${merchant.origin}/openapi.json` } }));
  const codes: string[] = [];
  for (const named of ['/v1/yachts', '/v1/things/b', '/yachts', 'http://localhost:3000/v1/yachts']) {
    resource = named.startsWith('/') ? merchant.origin + named : named;
    codes.push((await gateway.call({ id: 'a' })).code);
  }
  expect(codes).toEqual(['PAYMENT_REQUIREMENT_INVALID', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  expect(merchant.seen.filter(({ paid }) => paid !== null)).toHaveLength(3);
});

test('a tool whose schema has a number too large for JSON is left out, and no other [gateway.http-services.openapi]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-pins-'));
  const pins = openPins(dir);
  const schema = { type: 'integer', maximum: 0 };
  const large = { operationId: 'large', parameters: [{ name: 'n', in: 'query', schema }] };
  const text = JSON.stringify(
    document({ paths: { '/things/{id}': { post: buy }, '/large': { get: large } } }),
  );
  const merchant = await kept(
    openMerchant((_, response) => response.end(text.replace('"maximum":0', '"maximum":1e999'))),
  );
  const gateway = await kept(gatewayWith({ shop: { openapi: `${merchant.origin}/openapi.json` } }, {}, pins));
  const [service] = await gateway.services.list({});
  expect(service).toMatchObject({ status: 'connected', tools: [{ name: 'buy' }] });
  await pins.close();
  rmSync(dir, { recursive: true });
});

test('an endpoint is listed with the price that it announced, which is not paid for that [gateway.http-services.endpoint]', async () => {
  const merchant = await kept(openMerchant((_, response) => askFor(response)));
  const gateway = await kept(gatewayWith({ shop: { endpoint: `${merchant.origin}/buy`, name: 'buy' } }));
  const [service] = await gateway.services.list({});
  expect(service?.tools).toMatchObject([{ name: 'buy', paid: true, price: '0.01', currency: 'USDC' }]);
  expect(merchant.seen.every(({ paid }) => paid === null)).toBe(true);
});

test('an endpoint is asked what it takes by GET each time, by POST never, however often it is connected [gateway.http-services.asked]', async () => {
  const merchant = await kept(openMerchant((_, response) => askFor(response)));
  const times: number[] = [];
  for (const more of [{}, { method: 'POST' }, { method: 'DELETE', inputSchema: { type: 'object' } }]) {
    const before = merchant.seen.length;
    const [setting] = valueOf(
      httpServices(JSON.stringify({ shop: { endpoint: `${merchant.origin}/buy`, ...more } })),
    );
    const connection = await connectHttp(setting as HttpServiceSetting, 5000, means);
    open.push({ stop: () => connection.close() });
    for (let n = 0; n < 3; n++) expect((await connection.readTools(5000)).tools.size).toBe(1);
    times.push(merchant.seen.length - before);
  }
  expect(times).toEqual([3, 0, 0]);
});

test('what is posted is a call: a service that works for nothing gets none by connecting and one by a call [gateway.http-services.asked]', async () => {
  const merchant = await kept(openMerchant((_, response) => void response.end('{"done":true}')));
  const gateway = await kept(gatewayWith({ shop: { endpoint: `${merchant.origin}/buy`, method: 'POST' } }));
  expect(await gateway.services.list({})).toMatchObject([
    { status: 'connected', tools: [{ name: 'post_buy' }] },
  ]);
  expect(merchant.seen).toEqual([]);
  // Control: a call is sent, with whatever the agent gives.
  expect(await gateway.call({ a: 1 }, 'post_buy')).toMatchObject({ code: 'SUCCESS' });
  expect(merchant.seen).toMatchObject([{ method: 'POST', body: '{"a":1}' }]);
});

test('whether an endpoint still lives that is not asked what it takes is seen by a connection [gateway.http-services.asked]', async () => {
  const merchant = await openMerchant((_, response) => askFor(response));
  const [setting] = valueOf(
    httpServices(
      JSON.stringify({ shop: { endpoint: `${merchant.origin}/buy`, inputSchema: { type: 'object' } } }),
    ),
  );
  const connection = await connectHttp(setting as HttpServiceSetting, 5000, means);
  open.push({ stop: () => connection.close() });
  await connection.probe(5000);
  expect(merchant.seen).toEqual([]);
  await merchant.stop();
  await expect(connection.probe(5000)).rejects.toThrow('ECONNREFUSED');
});

function valueOf<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
