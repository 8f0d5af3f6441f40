import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
});
afterAll(() => world?.stop());

/** The code of a call that costs 0.01 USDC and gives 60 seconds to settle, under this configuration. */
async function quoteUnder(env: Record<string, string>): Promise<string> {
  const gateway = await world.gatewayProcess(owner, null, env);
  const answer = await gateway.agent.call({
    serviceId: 'quotes',
    toolName: 'get_quote',
    arguments: { symbol: 'A' },
  });
  await gateway.child.stop();
  return answer.code;
}

test('the cap of one payment is exact [gateway.config.payment-max-amount]', async () => {
  expect(await quoteUnder({ PAYMENT_MAX_AMOUNT: '0.009999' })).toBe('PAYMENT_UNSUPPORTED');
  expect(await quoteUnder({ PAYMENT_MAX_AMOUNT: '0.01' })).toBe('SUCCESS');
});

test('a longer time to settle than allowed is not signed [gateway.config.payment-max-validity-seconds]', async () => {
  expect(await quoteUnder({ PAYMENT_MAX_VALIDITY_SECONDS: '59' })).toBe('PAYMENT_UNSUPPORTED');
  expect(await quoteUnder({ PAYMENT_MAX_VALIDITY_SECONDS: '60' })).toBe('SUCCESS');
});

test('only allowed networks and assets are paid; USDC of the networks if none is named [gateway.config.payment-networks] [gateway.config.payment-assets]', async () => {
  const usdc = `eip155:84532/${world.card.tokenAddress}`;
  const baseUsdc = 'eip155:8453/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
  expect(await quoteUnder({ PAYMENT_NETWORKS: 'eip155:8453' })).toBe('PAYMENT_UNSUPPORTED');
  expect(await quoteUnder({ PAYMENT_NETWORKS: 'eip155:8453', PAYMENT_ASSETS: baseUsdc })).toBe(
    'PAYMENT_UNSUPPORTED',
  );
  expect(await quoteUnder({ PAYMENT_NETWORKS: 'eip155:8453,eip155:84532' })).toBe('SUCCESS');
  expect(await quoteUnder({ PAYMENT_ASSETS: usdc })).toBe('SUCCESS');
});
