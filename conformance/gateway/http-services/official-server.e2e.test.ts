import { declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HonoShop, openHonoShop, priceIn } from '../fixtures/hono-shop.ts';
import { until } from '../fixtures/until.ts';
import { openV1Shop, type V1Shop } from '../fixtures/v1-shop.ts';
import { type Owner, startWorld, type World } from '../fixtures/world.ts';

let world: World;
let owner: Owner;
let shop: HonoShop;
let older: V1Shop;
let gateway: Awaited<ReturnType<World['gateway']>>;
const seen: { method: string; url: string; body: unknown }[] = [];

const document = {
  openapi: '3.0.3',
  info: { title: 'Orders' },
  paths: {
    '/orders/{id}': {
      post: {
        operationId: 'placeOrder',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { $ref: '#/components/schemas/Id' } }],
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
  components: { schemas: { Id: { type: 'string' } } },
};

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  const app = new Hono();
  app.get('/quote', (c) => {
    seen.push({ method: 'GET', url: c.req.url, body: null });
    return c.json({ symbol: c.req.query('symbol'), price: '12.50' });
  });
  app.post('/orders/:id', async (c) => {
    seen.push({ method: 'POST', url: c.req.url, body: await c.req.json() });
    return c.text('ordered');
  });
  app.get('/openapi.json', (c) => c.json(document));
  const price = priceIn(world, '10000');
  shop = await openHonoShop(
    world,
    {
      'GET /quote': {
        accepts: price,
        description: 'The price of a share',
        extensions: declareDiscoveryExtension({
          input: { symbol: 'ACME' },
          inputSchema: { properties: { symbol: { type: 'string' } }, required: ['symbol'] },
        }),
      },
      'POST /orders/*': { accepts: price },
    },
    app,
  );
  older = await openV1Shop(world);
  gateway = await world.gateway(
    owner,
    {},
    {
      HTTP_SERVICES: JSON.stringify({
        quotes: { endpoint: `${shop.origin}/quote`, name: 'get_quote' },
        whole: { openapi: `${shop.origin}/openapi.json` },
        older: { endpoint: `${older.origin}/look` },
        orders: {
          endpoint: `${shop.origin}/orders/{id}`,
          method: 'POST',
          name: 'order',
          description: 'Orders a thing',
          inputSchema: { type: 'object', properties: { id: { type: 'string' }, count: { type: 'integer' } } },
        },
      }),
    },
  );
});
afterAll(async () => {
  await shop?.stop();
  await older?.stop();
  await world?.stop();
});

test('an official @x402/hono merchant is listed and paid by header, v2, and the answer is in the envelope [gateway.http-services.endpoint] [gateway.http-services.pays]', async () => {
  const services = await gateway.agent.list();
  expect(services).toMatchObject([
    { serviceId: 'quotes', transport: 'http', status: 'connected', url: `${shop.origin}/quote` },
    { serviceId: 'whole', name: 'Orders', transport: 'http', status: 'connected' },
    { serviceId: 'older', transport: 'http', status: 'connected' },
    { serviceId: 'orders', transport: 'http', status: 'connected' },
  ]);
  expect(services[0]?.tools).toMatchObject([
    {
      name: 'get_quote',
      description: 'The price of a share',
      inputSchema: { type: 'object', properties: { symbol: { type: 'string' } }, required: ['symbol'] },
      paid: true,
      price: '0.01',
      currency: 'USDC',
    },
  ]);
  expect(await gateway.agent.call({ serviceId: 'quotes', toolName: 'get_quote' })).toMatchObject({
    code: 'INVALID_ARGUMENTS',
  });
  const earned = await world.balance(world.merchant.address);
  const answer = await gateway.agent.call({
    serviceId: 'quotes',
    toolName: 'get_quote',
    arguments: { symbol: 'A&B=C' },
  });
  expect(answer).toMatchObject({
    code: 'SUCCESS',
    detail: {
      paymentMade: true,
      paymentResponse: { success: true, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      paymentContext: { x402Version: 2, amountDecimal: '0.01', payTo: world.merchant.address },
      downstreamContent: [{ type: 'text', text: '{"symbol":"A&B=C","price":"12.50"}' }],
      assuranceResult: { passed: true, mandateId: owner.mandateId },
    },
  });
  expect(await world.balance(world.merchant.address)).toBe(earned + 10_000n);
  const records = await until(
    () => world.records(owner),
    (all) => all.length > 0,
  );
  expect(records).toMatchObject([{ serviceName: 'quotes', serviceResult: 'pass', amount: '0.01' }]);
});

test('arguments are a path parameter and a JSON body; one idempotency key pays an HTTP service once [gateway.http-services.endpoint] [gateway.http-services.pays]', async () => {
  const spent = await world.balance(owner.wallet.address);
  const call = {
    serviceId: 'orders',
    toolName: 'order',
    arguments: { id: 'a/b?c', count: 2 },
    idempotencyKey: 'order-a-b-c',
  };
  const [first, second] = await Promise.all([gateway.agent.call(call), gateway.agent.call(call)]);
  const third = await gateway.agent.call(call);
  for (const answer of [first, second, third])
    expect(answer).toMatchObject({
      code: 'SUCCESS',
      detail: { downstreamContent: [{ type: 'text', text: 'ordered' }] },
    });
  expect(seen.filter(({ method }) => method === 'POST')).toEqual([
    { method: 'POST', url: `${shop.origin}/orders/a%2Fb%3Fc`, body: { count: 2 } },
  ]);
  expect(await world.balance(owner.wallet.address)).toBe(spent - 10_000n);
  const misfit = { ...call, arguments: { id: 'a', count: 'two' }, idempotencyKey: 'another-order' };
  expect(await gateway.agent.call(misfit)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('an operation of an OpenAPI document of an official merchant is paid [gateway.http-services.openapi] [gateway.http-services.pays]', async () => {
  const answer = await gateway.agent.call({
    serviceId: 'whole',
    toolName: 'placeOrder',
    arguments: { id: 'from document', body: { count: 3 } },
  });
  expect(answer).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true, downstreamContent: [{ type: 'text', text: 'ordered' }] },
  });
  expect(seen.at(-1)).toEqual({
    method: 'POST',
    url: `${shop.origin}/orders/from%20document`,
    body: { count: 3 },
  });
});

test('a merchant of x402 v1, which asks in its body, is paid by X-PAYMENT through the official facilitator [gateway.http-services.pays]', async () => {
  const earned = await world.balance(world.merchant.address);
  const answer = await gateway.agent.call({
    serviceId: 'older',
    toolName: 'get_look',
    arguments: { q: 'a' },
  });
  expect(answer).toMatchObject({
    code: 'SUCCESS',
    detail: {
      paymentMade: true,
      paymentContext: { x402Version: 1 },
      paymentResponse: { success: true, network: 'base-sepolia' },
      downstreamContent: [{ type: 'text', text: 'found /look?q=a' }],
    },
  });
  expect(await world.balance(world.merchant.address)).toBe(earned + 10_000n);
});

test('an official merchant that is paid by an empty wallet asks again: nothing is paid, and nothing sent twice [gateway.http-services.one-payment]', async () => {
  const poor = await world.newOwner({ usdc: 0n });
  const quotes = { endpoint: `${shop.origin}/quote`, name: 'get_quote' };
  const its = await world.gateway(poor, {}, { HTTP_SERVICES: JSON.stringify({ quotes }) });
  const before = seen.length;
  expect(
    await its.agent.call({ serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'A' } }),
  ).toMatchObject({
    code: 'PAYMENT_REJECTED',
    detail: { paymentMade: false },
  });
  expect(seen).toHaveLength(before);
});
