import { fundGas, mint } from '@countersign/local/chain-accounts';
import { barePayer } from '@countersign/local/bare-payer';
import { newPrivateKey } from '@countersign/local/market';
import { facilitatorClient } from '@countersign/local/merchant/facilitator-client';
import { createMerchant } from '@countersign/local/merchant/merchant';
import { connectUnguarded } from '@countersign/local/unguarded-agent';
import { declareEip2612GasSponsoringExtension } from '@x402/extensions';
import { setSettlementOverrides } from '@x402/hono';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHonoShop, priceIn } from './fixtures/hono-shop.ts';
import { allowanceOf, allowPermit2, startPermit2Facilitator } from './fixtures/permit2.ts';
import { receiptsOf } from './fixtures/receipts-of.ts';
import { inEntry, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let facilitator: Awaited<ReturnType<typeof startPermit2Facilitator>>;
let services: string;
const open: { stop: () => Promise<unknown> }[] = [];

const schemes = { PAYMENT_SCHEMES: 'exact,permit2,upto' };

beforeAll(async () => {
  world = await startWorld();
  facilitator = await startPermit2Facilitator(world);
  const app = new Hono()
    .get('/exact', (c) => c.text('sold by Permit2'))
    .get('/sponsored', (c) => c.text('sold with an approval'))
    .get('/metered', (c) => {
      setSettlementOverrides(c, { amount: '2500' });
      return c.text('metered');
    })
    .get('/unused', (c) => {
      setSettlementOverrides(c, { amount: '0' });
      return c.text('free after all');
    });
  const price = priceIn(world, '10000') as Exclude<ReturnType<typeof priceIn>, readonly unknown[]>;
  const { asset, extra } = price.price as { asset: string; extra: Record<string, unknown> };
  const permit2 = {
    ...price,
    price: { asset, amount: '10000', extra: { ...extra, assetTransferMethod: 'permit2' } },
  };
  const upto = { ...permit2, scheme: 'upto' };
  const extensions = declareEip2612GasSponsoringExtension();
  const routes = {
    'GET /exact': { accepts: permit2 },
    'GET /sponsored': { accepts: permit2, extensions },
    'GET /metered': { accepts: upto, extensions },
    'GET /unused': { accepts: upto, extensions },
  };
  const shop = await openHonoShop(world, routes, app, () => [], facilitator.resources);
  open.push(shop, facilitator);
  const endpoint = (path: string) => ({ endpoint: `${shop.origin}${path}`, name: 'buy' });
  services = JSON.stringify({
    exact: endpoint('/exact'),
    sponsored: endpoint('/sponsored'),
    metered: endpoint('/metered'),
    unused: endpoint('/unused'),
  });
});
afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop()));
  await world?.stop();
});

const gatewayOf = async (owner: Owner, env: Readonly<Record<string, string>> = schemes) => {
  const settings = { HTTP_SERVICES: services, ...env };
  const { agent, stateDir } = await world.gateway(owner, {}, settings);
  return {
    stateDir,
    tries: (serviceId: string) => agent.call({ serviceId, toolName: 'buy', dryRun: true }),
    buy: (serviceId: string, idempotencyKey?: string) =>
      agent.call({ serviceId, toolName: 'buy', ...(idempotencyKey !== undefined && { idempotencyKey }) }),
  };
};

const recordOf = async (owner: Owner, transaction: unknown) => {
  expect(transaction).toBeTypeOf('string');
  const records = await until(
    () => world.records(owner),
    (all) => all.some(({ txHash }) => txHash === transaction),
  );
  return records.find(({ txHash }) => txHash === transaction);
};

test('the gateway pays the official server by Permit2 with the allowance that stands, within the mandate [gateway.permit2.official] [gateway.permit2.allowance]', async () => {
  const owner = await world.newOwner();
  await allowPermit2(world, owner.wallet.address, 15_000n);
  const { buy, tries, stateDir } = await gatewayOf(owner);
  const answer = await buy('exact');
  expect(answer).toMatchObject({
    code: 'SUCCESS',
    detail: {
      paymentMade: true,
      paymentContext: { scheme: 'exact', transferMethod: 'permit2' },
      assuranceResult: { passed: true, mandateId: owner.mandateId },
      downstreamContent: [{ type: 'text', text: 'sold by Permit2' }],
    },
  });
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
  expect(await allowanceOf(world, owner.wallet.address)).toBe(5_000n);
  const record = await recordOf(owner, answer.detail.paymentResponse?.['transaction']);
  expect(record).toMatchObject({ serviceName: 'exact', serviceResult: 'pass', amount: '0.01' });
  expect(await world.mandateOf(owner)).toMatchObject({ usedAmount: '0.01' });

  // What stands is too little for a second one.
  expect(await buy('exact')).toMatchObject({
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('approve Permit2'),
    detail: { paymentMade: false },
  });
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
  expect(await tries('exact')).toMatchObject({
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('approve Permit2'),
  });
  expect(await tries('sponsored')).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: false } });
  const { stdout, judged } = await receiptsOf(stateDir);
  expect((await judged(stdout)).code).toBe(0);
});

test('a sponsored approval is of exactly the amount: nothing stands after it; an allowance that is wide enough stays as it is [gateway.permit2.official] [gateway.permit2.allowance]', async () => {
  const owner = await world.newOwner();
  // Too little stands: the approval takes its place.
  await allowPermit2(world, owner.wallet.address, 9_999n);
  const { buy } = await gatewayOf(owner);
  expect(await buy('sponsored')).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true, downstreamContent: [{ type: 'text', text: 'sold with an approval' }] },
  });
  expect(await allowanceOf(world, owner.wallet.address)).toBe(0n);
  expect(await buy('sponsored')).toMatchObject({ code: 'SUCCESS' });
  expect(await allowanceOf(world, owner.wallet.address)).toBe(0n);
  await allowPermit2(world, owner.wallet.address, 50_000n);
  expect(await buy('sponsored')).toMatchObject({ code: 'SUCCESS' });
  expect(await allowanceOf(world, owner.wallet.address)).toBe(40_000n);
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 30_000n);
});

test('of upto the maximum is held, and what the chain says was taken is spent [gateway.upto.taken]', async () => {
  const owner = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '0.02' } });
  const { buy, stateDir } = await gatewayOf(owner);
  const answers = [];
  for (let n = 0; n < 4; n++) {
    const answer = await buy('metered', `metered call ${n}`);
    expect(answer).toMatchObject({ code: 'SUCCESS' });
    answers.push(answer);
    await recordOf(owner, answer.detail.paymentResponse?.['transaction']);
  }
  expect(answers[0]).toMatchObject({
    code: 'SUCCESS',
    message: expect.stringContaining('Paid 0.0025 USDC, of at most 0.01 USDC.'),
    detail: {
      paymentMade: true,
      paymentContext: { scheme: 'upto', amountDecimal: '0.01', amountTaken: '0.0025' },
      downstreamContent: [{ type: 'text', text: 'metered' }],
    },
  });
  const record = await recordOf(owner, answers[3]?.detail.paymentResponse?.['transaction']);
  expect(record).toMatchObject({ serviceResult: 'pass', amountExact: '0.0025' });
  expect(await world.mandateOf(owner)).toMatchObject({ usedAmount: '0.01' });
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
  // Allowed was the maximum, and what was not taken of the last stands still: for no message but one that this wallet signs.
  expect(await allowanceOf(world, owner.wallet.address)).toBe(7_500n);
  const { stdout, judged } = await receiptsOf(stateDir);
  expect((await judged(stdout)).code).toBe(0);
});

test('what a service says was free is not counted as paid, and can be taken until it runs out [gateway.upto.unused]', async () => {
  const owner = await world.newOwner();
  const { buy } = await gatewayOf(owner);
  expect(await buy('unused')).toMatchObject({
    code: 'PAYMENT_OUTCOME_UNKNOWN',
    detail: { paymentMade: false, downstreamContent: [{ type: 'text', text: 'free after all' }] },
  });
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n);
});

test.each(['exact', 'sponsored', 'metered'])(
  'without them in PAYMENT_SCHEMES nothing is signed: %s [gateway.permit2.opt-in]',
  async (serviceId) => {
    const owner = await world.newOwner();
    await allowPermit2(world, owner.wallet.address, 10_000n);
    const { buy } = await gatewayOf(owner, {});
    expect(await buy(serviceId)).toMatchObject({
      code: 'PAYMENT_UNSUPPORTED',
      message: expect.stringContaining('PAYMENT_SCHEMES'),
      detail: { paymentMade: false },
    });
    expect(await world.balance(owner.wallet.address)).toBe(100_000_000n);
  },
);

test('the official client pays our service by Permit2 [gateway.permit2.official]', async () => {
  const payer = barePayer(newPrivateKey());
  await mint(world.card.rpcUrl, payer.address, 1_000_000n);
  await fundGas(world.card.rpcUrl, payer.address);
  await allowPermit2(world, payer.address, 10_000n);
  const merchant = createMerchant({
    id: 'shop',
    network: `eip155:${world.card.chainId}`,
    asset: world.card.tokenAddress,
    facilitator: facilitatorClient(facilitator.url),
    privateKey: world.card.merchant.privateKey,
  });
  const byPermit2 = inEntry(({ extra }) => ({ extra: { ...extra, assetTransferMethod: 'permit2' } }));
  const selling = sellTool(merchant, { name: 'sell_permit2', cart: 'none', mutate: byPermit2 });
  const client = await connectUnguarded(await world.service('sample', [selling]), payer);
  expect(await client.buy('sell_permit2')).toMatchObject({ content: [{ type: 'text', text: 'sold' }] });
  await client.close();
  expect(await world.balance(payer.address)).toBe(990_000n);
});
