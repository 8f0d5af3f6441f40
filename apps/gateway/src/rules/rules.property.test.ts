import { formatAmount, fromBaseUnits, parseAmount } from '@countersign/protocol/amount';
import { findCartMandate } from '@countersign/protocol/gateway/cart-mandate';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amount, demandFor, required, signedCart } from '../../test/samples.ts';
import { exceededLimit } from './budget.ts';
import { cartMatches } from './cart-binding.ts';

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, decimals]) => formatAmount(fromBaseUnits(units, decimals)));

test('whatever floating point refuses, exact comparison refuses too [gateway.assurance.budget.exact]', () => {
  fc.assert(
    fc.property(decimal, decimal, decimal, (total, perTx, remaining) => {
      const limits = { perTxLimit: amount(perTx), remaining: amount(remaining) };
      const exact = exceededLimit(amount(total), limits);
      const floatRefuses = Number(total) > Number(perTx) || Number(total) > Number(remaining);
      return !floatRefuses || exact !== null;
    }),
  );
});

test('a difference that two doubles cannot tell apart is refused', () => {
  const limits = { perTxLimit: amount('100'), remaining: amount('100') };
  expect(Number('100.000000000000000001') > Number('100')).toBe(false);
  expect(exceededLimit(amount('100.000000000000000001'), limits)).toBe('PER_TX_LIMIT_EXCEEDED');
  expect(exceededLimit(amount('100'), limits)).toBeNull();
});

test('a cart that differs from the payment in amount, payee or currency does not match [gateway.code.cart-mandate-mismatch.currency]', async () => {
  const demand = demandFor(required());
  expect(cartMatches(await signedCart(), demand)).toBe(true);
  expect(cartMatches(await signedCart({ total_amount: '0.0100' }), demand)).toBe(true);
  for (const total_amount of ['0.010000000000000001', '0.009999', '0.1', '10000']) {
    expect(cartMatches(await signedCart({ total_amount }), demand)).toBe(false);
  }
  expect(cartMatches(await signedCart({ pay_to: `0x${'ab'.repeat(20)}` }), demand)).toBe(false);
  expect(cartMatches(await signedCart({ currency: 'EURC' }), demand)).toBe(false);
});

test('text that is not a plain decimal never becomes an amount of a cart [gateway.assurance.budget.plain-decimals-only]', async () => {
  const cart = await signedCart();
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('NaN', '1,000', '0x64', '-5', '1e9', ' 1', '01', '.5', '5.')),
      (text) => {
        const found = findCartMandate({ cartMandate: { ...cart, total_amount: text } });
        expect(found.kind).toBe(parseAmount(text) === null ? 'malformed' : 'cart');
      },
    ),
  );
});

test('a cart is missing only when nothing of it is there; the one in extra.cartMandate wins [gateway.cart.primary-location] [gateway.cart.primary-wins]', async () => {
  const cart = await signedCart();
  expect(findCartMandate({ name: 'USDC', version: '2' }).kind).toBe('missing');
  expect(findCartMandate({ cartMandate: cart }).kind).toBe('cart');
  expect(findCartMandate({ name: 'USDC', ...cart }).kind).toBe('cart');
  const other = { ...cart, total_amount: '9' };
  expect(findCartMandate({ ...other, cartMandate: cart })).toEqual({ kind: 'cart', cart });
  for (const field of Object.keys(cart)) {
    const { [field as keyof typeof cart]: _, ...rest } = cart;
    expect(findCartMandate({ cartMandate: rest }).kind).toBe('malformed');
    expect(findCartMandate({ name: 'USDC', ...rest }).kind).toBe('malformed');
  }
  expect(findCartMandate({ cartMandate: 'x' }).kind).toBe('malformed');
  expect(findCartMandate({ cartMandate: { ...cart, total_amount: 0.01 } }).kind).toBe('malformed');
});

test('an amount equal to a limit passes [gateway.assurance.budget.equal-passes] [gateway.assurance.budget.local]', () => {
  const limits = { perTxLimit: amount('1'), remaining: amount('1') };
  expect(exceededLimit(amount('1.000000'), limits)).toBeNull();
  expect(exceededLimit(amount('1'), { ...limits, perTxLimit: amount('2') })).toBeNull();
});
