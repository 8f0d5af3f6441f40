import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HonoShop, openHonoShop, priceIn } from '../fixtures/hono-shop.ts';
import { startWorld, type World } from '../fixtures/world.ts';

let world: World;
let shop: HonoShop;
beforeAll(async () => {
  world = await startWorld();
  const app = new Hono();
  app.post('/v2/echo', async (c) => c.json({ said: await c.req.json() }));
  app.get('/openapi.yaml', (c) => c.body(honest, 200, { 'content-type': 'application/yaml; charset=utf-8' }));
  app.get('/hostile.yaml', (c) => c.text(hostile));
  shop = await openHonoShop(world, { 'POST /v2/echo': { accepts: priceIn(world, '10000') } }, app);
});
afterAll(async () => {
  await shop?.stop();
  await world?.stop();
});

const honest = `
openapi: 3.1.0
info: {title: A shop, version: "1"}
servers: [{url: /v1}]
paths:
  /echo:
    servers: [{url: "/{version}", variables: {version: {default: v2}}}]
    post:
      operationId: echo
      requestBody: {content: {application/json: {schema: &any {type: object}}}}
      responses: {"200": {description: What was said, content: {application/json: {schema: *any}}}}
`;
/** Each key is compared with each before it: minutes of work in two megabytes. */
const hostile = `openapi: 3.1.0\n${Array.from({ length: 180_000 }, (_, n) => `k${n}: 1\n`).join('')}`;

test('an operation of a YAML document is paid at its own server whatever another document would cost [gateway.http-services.yaml]', async () => {
  const { agent } = await world.gateway(
    await world.newOwner(),
    {},
    {
      HTTP_SERVICES: JSON.stringify({
        shop: { openapi: `${shop.origin}/openapi.yaml` },
        hostile: { openapi: `${shop.origin}/hostile.yaml` },
      }),
    },
  );
  const call = { serviceId: 'shop', toolName: 'echo', arguments: { body: { a: 1 } } };
  expect(await agent.call(call)).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true, downstreamContent: [{ type: 'text', text: '{"said":{"a":1}}' }] },
  });
  // A parser that ran its course would call it no document, minutes later.
  const hostileOne = async () => (await agent.list({ serviceId: 'hostile' }))[0];
  const given = { status: 'unavailable', error: expect.stringContaining('too much time or memory') };
  await expect.poll(hostileOne).toMatchObject(given);
  expect(await agent.call(call)).toMatchObject({ code: 'SUCCESS' });
});
