import { parseAddress } from '@countersign/protocol/address';
import { paymentRequired as paymentRequiredSchema } from '@countersign/protocol/gateway/x402';
import { expect, test } from 'vitest';
import { createMerchant } from './merchant.ts';
import { paymentRequired, paysFor } from './payment-required.ts';

const merchant = createMerchant({
  id: 'shop',
  privateKey: `0x${'11'.repeat(32)}`,
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  facilitator: { verify: async () => null, settle: async () => null },
});
const sale = { toolName: 'x', description: 'y', price: '0.01', cart: 'cartMandate' } as const;
const v1 = paymentRequired(merchant, { ...sale, x402Version: 1 });
const v2 = paymentRequired(merchant, { ...sale, x402Version: 2 });
const accepted = v2.accepts[0];

test('both versions are what the protocol package reads, and the same sale has the same bytes', () => {
  for (const demand of [v1, v2]) expect(paymentRequiredSchema.safeParse(demand).success).toBe(true);
  expect(JSON.stringify(paymentRequired(merchant, { ...sale, x402Version: 2 }))).toBe(JSON.stringify(v2));
  expect(parseAddress(merchant.address)).toBe(merchant.address);
});

test('a price that the token cannot express is no price', () => {
  for (const price of ['0.0000001', '-1', '1e3', 'free', ''])
    expect(() => paymentRequired(merchant, { ...sale, price, x402Version: 2 })).toThrow(
      'is not an amount of USDC',
    );
});

test('a v2 payment answers only the demand it repeats to the letter', () => {
  expect(paysFor(v2, { x402Version: 2, accepted })).toBe(true);
  expect(
    paysFor(v2, { x402Version: 2, accepted: { ...accepted, extra: { ...accepted?.extra, more: 1 } } }),
  ).toBe(true);
  for (const change of [
    { amount: '9999' },
    { payTo: merchant.asset },
    { network: 'eip155:8453' },
    { maxTimeoutSeconds: 61 },
    { extra: { name: 'USDC', version: '2' } },
    { extra: null },
  ])
    expect(paysFor(v2, { x402Version: 2, accepted: { ...accepted, ...change } })).toBe(false);
  for (const other of [undefined, null, [], 'x'])
    expect(paysFor(v2, { x402Version: 2, accepted: other })).toBe(false);
});

test('a v1 payment answers a v1 demand of its scheme and network', () => {
  const payment = { x402Version: 1, scheme: 'exact', network: 'base-sepolia' };
  expect(paysFor(v1, payment)).toBe(true);
  expect(paysFor(v1, { ...payment, network: 'base' })).toBe(false);
  expect(paysFor(v2, payment)).toBe(false);
});
