import { expect, test } from 'vitest';
import { knownTokens } from '../rules/tokens.ts';
import { announcedPrice, seenPrice } from './prices.ts';

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const entry = { scheme: 'exact', payTo: usdc, maxTimeoutSeconds: 60, asset: usdc, extra: {} };
const v2 = { ...entry, network: 'eip155:8453', amount: '10000' };
const v1 = { ...entry, network: 'base', maxAmountRequired: '2500000' };

test.each([
  [{ annotations: { paymentHint: true } }, { paid: true, priceFrom: 'annotation' }],
  [
    { annotations: { paymentHint: true, paymentPriceUSD: '0.05' } },
    { paid: true, price: '0.05', currency: 'USD', priceFrom: 'annotation' },
  ],
  [
    { _meta: { 'agents-x402/paymentRequired': true, 'agents-x402/priceUSD': 0.1 } },
    { paid: true, price: '0.1', currency: 'USD', priceFrom: '_meta' },
  ],
  [{ _meta: { x402: { paymentRequired: true } } }, { paid: true, priceFrom: '_meta' }],
  [
    { _meta: { x402: { accepts: [v2] } } },
    { paid: true, price: '0.01', currency: 'USDC', priceFrom: '_meta' },
  ],
  [
    { _meta: { x402: { accepts: [v1] } } },
    { paid: true, price: '2.5', currency: 'USDC', priceFrom: '_meta' },
  ],
  [{ _meta: { x402: { accepts: [] } } }, { paid: true, priceFrom: '_meta' }],
  [
    { _meta: { 'agents-x402/paymentRequired': true, 'agents-x402/priceUSD': 1e-9 } },
    { paid: true, priceFrom: '_meta' },
  ],
  [
    { _meta: { 'agents-x402/paymentRequired': true, 'agents-x402/priceUSD': 'buy now' } },
    { paid: true, priceFrom: '_meta' },
  ],
  [{ annotations: { paymentHint: 'yes' }, _meta: { x402: 7 } }, null],
  [{ annotations: null, _meta: null }, null],
])('a definition with %j announces %j', (definition, price) => {
  expect(announcedPrice(definition as never, knownTokens)).toEqual(price);
});

test('what a tool asked for is its price, in tokens that are paid with only', () => {
  const asked = { paid: true, requirement: { x402Version: 2, accepts: [v2] } };
  expect(seenPrice(asked, knownTokens)).toEqual({
    paid: true,
    price: '0.01',
    currency: 'USDC',
    priceFrom: 'seen',
  });
  expect(seenPrice(asked, [])).toEqual({ paid: true, priceFrom: 'seen' });
  expect(seenPrice({ paid: true, requirement: { accepts: 'x' } }, knownTokens)).toEqual({
    paid: true,
    priceFrom: 'seen',
  });
  expect(seenPrice({ paid: false }, knownTokens)).toEqual({ paid: false, priceFrom: 'seen' });
});
