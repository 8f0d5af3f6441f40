import { expect, test } from 'vitest';
import { paymentMeta, requirementInError } from './dialect.ts';

const price = { x402Version: 2, accepts: [] };

test('a price in a JSON-RPC error is found by its code; a URL to open is none [gateway.paying.dialect.json-rpc-402] [gateway.paying.dialect.json-rpc-32042]', () => {
  expect(requirementInError(402, price)).toBe(price);
  expect(requirementInError(-32042, price)).toBe(price);
  expect(requirementInError(-32042, { x402: price })).toBe(price);
  expect(requirementInError(-32042, { elicitations: [], x402: price })).toBeUndefined();
  expect(requirementInError(-32603, price)).toBeUndefined();
  for (const data of [undefined, null, 'pay', [price], { url: 'https://pay.example' }])
    for (const code of [402, -32042]) expect(requirementInError(code, data)).toBeUndefined();
});

test('each dialect carries the payment in its own form', () => {
  const text = Buffer.from('{"a":1}').toString('base64');
  expect(paymentMeta.specified({ a: 1 })).toEqual({ 'x402/payment': { a: 1 } });
  expect(paymentMeta['meta-error']({ a: 1 })).toEqual({ 'x402/payment': text });
  expect(paymentMeta['dotted-keys']({ a: 1 })).toEqual({ 'x402/payment': { a: 1 }, 'x402.payment': text });
});
