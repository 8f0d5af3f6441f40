import {
  createSIWxResourceServerExtension,
  declareSIWxExtension,
  InMemorySIWxStorage,
} from '@x402/extensions/sign-in-with-x';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HonoShop, openHonoShop, priceIn } from './fixtures/hono-shop.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let shop: HonoShop;
const served: string[] = [];

beforeAll(async () => {
  world = await startWorld();
  const app = new Hono().get('/:page', (c) => {
    served.push(c.req.path);
    return c.text(`page ${c.req.path}`);
  });
  const route = (options: Parameters<typeof declareSIWxExtension>[0]) => ({
    accepts: priceIn(world, '10000'),
    extensions: declareSIWxExtension(options),
  });
  shop = await openHonoShop(
    world,
    {
      'GET /stated': route({ statement: 'Sign in to read what you bought', expirationSeconds: 300 }),
      'GET /bare': route({}),
      'GET /other': route({}),
    },
    app,
    (origin) => [createSIWxResourceServerExtension({ origin, storage: new InMemorySIWxStorage() })],
  );
});
afterAll(async () => {
  await shop?.stop();
  await world?.stop();
});

async function gatewayOf(
  owner: Owner,
  env: Record<string, string> = { PAYMENT_SCHEMES: 'exact,sign-in-with-x' },
) {
  const endpoint = (path: string) => ({ endpoint: `${shop.origin}${path}`, name: 'read' });
  const HTTP_SERVICES = JSON.stringify({
    stated: endpoint('/stated'),
    bare: endpoint('/bare'),
    other: endpoint('/other'),
  });
  const { agent } = await world.gateway(owner, {}, { HTTP_SERVICES, ...env });
  return (serviceId: string, more: object = {}) => agent.call({ serviceId, toolName: 'read', ...more });
}

test.each(['stated', 'bare'])(
  'what an official merchant was paid for once is read again by signing in, also after a restart: %s [gateway.sign-in.used]',
  async (serviceId) => {
    const owner = await world.newOwner();
    const before = await world.balance(owner.wallet.address);
    const spent = async () => before - (await world.balance(owner.wallet.address));
    const read = await gatewayOf(owner);
    expect(await read(serviceId)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    const again = await read(serviceId);
    expect(again).toMatchObject({
      code: 'SUCCESS',
      message: expect.stringContaining('paid for before'),
      detail: {
        paymentMade: false,
        paymentResponse: null,
        paymentContext: { signedIn: true, payer: owner.wallet.address },
        downstreamContent: [{ type: 'text', text: `page /${serviceId}` }],
      },
    });
    const restarted = await gatewayOf(owner);
    expect(await restarted(serviceId)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: false } });
    expect(await spent()).toBe(10_000n);
    expect(await restarted('other')).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    expect(await spent()).toBe(20_000n);
  },
);

test('a dry run signs nothing and says the price; without PAYMENT_SCHEMES a right is bought again [gateway.sign-in.used] [gateway.config.payment-schemes]', async () => {
  const owner = await world.newOwner();
  const read = await gatewayOf(owner);
  await read('bare');
  const reads = served.length;
  expect(await read('bare', { dryRun: true })).toMatchObject({
    code: 'SUCCESS',
    message: expect.stringContaining('0.01 USDC would be paid'),
  });
  expect(served).toHaveLength(reads);
  const usual = await gatewayOf(owner, {});
  expect(await usual('bare')).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
});
