import type { SharedGateway } from './fixtures/shared-process.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keeping, sale, sellTool } from './fixtures/sell-tool.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let gateway: SharedGateway;
const payments: unknown[] = [];

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  const shop = await world.service('shop', [keeping(sellTool(world.merchant), payments)]);
  gateway = await world.gateway(owner, { shop });
});
afterAll(() => world?.stop());

const buy = (more: object) => gateway.agent.call({ ...sale, ...more });

test('a price above maxAmount ends the call before anybody is looked up and anything is sent [gateway.call.max-amount] [gateway.code.price-above-maximum]', async () => {
  const before = await world.balance(owner.wallet.address);
  const answer = await buy({ maxAmount: '0.009999' });
  expect(answer).toMatchObject({
    ok: false,
    stage: 'payment_required',
    code: 'PRICE_ABOVE_MAXIMUM',
    detail: {
      paymentMade: false,
      complianceDecision: null,
      assuranceResult: null,
      paymentContext: { amountDecimal: '0.01', currency: 'USDC', payTo: world.merchant.address },
    },
  });
  expect(answer.message).toContain('0.01 USDC');
  expect(payments).toEqual([]);
  expect(await world.records(owner)).toEqual([]);
  expect(await world.balance(owner.wallet.address)).toBe(before);
  expect(await buy({ maxAmount: '0.009999', dryRun: true })).toMatchObject({
    code: 'PRICE_ABOVE_MAXIMUM',
    message: expect.stringMatching(/^dry run: /) as string,
  });
});

test('a price of exactly maxAmount is paid [gateway.call.max-amount]', async () => {
  expect(await buy({ maxAmount: '0.010' })).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
});

test.each([0.05, '-1', '1e2', '5 USDC', '', 'NaN'])(
  'a maxAmount of %j is no decimal text: INVALID_ARGUMENTS, and nothing is paid [gateway.call.max-amount]',
  async (maxAmount) => {
    const sent = payments.length;
    const answer = await buy({ maxAmount });
    expect(answer.code).toBe('INVALID_ARGUMENTS');
    expect(answer.message).toContain('"maxAmount"');
    expect(payments).toHaveLength(sent);
  },
);
