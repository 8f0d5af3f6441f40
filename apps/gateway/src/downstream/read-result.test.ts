import { expect, test } from 'vitest';
import { readToolResult } from './read-result.ts';

const price = { x402Version: 2, accepts: [{ scheme: 'exact', amount: '1' }] };
const text = (value: unknown) => ({
  type: 'text',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

test('a price is found in structured content, in the first text, and in both', () => {
  const found = { kind: 'payment-required', requirement: price };
  expect(readToolResult({ isError: true, structuredContent: price })).toMatchObject(found);
  expect(readToolResult({ isError: true, content: [text(price)] })).toMatchObject(found);
  expect(readToolResult({ isError: true, content: [text(price)], structuredContent: price })).toMatchObject(
    found,
  );
  const wrapped = { 'x402/error': { code: 402, data: price } };
  expect(readToolResult({ isError: true, content: [text(wrapped)] })).toMatchObject(found);
});

test('two copies that say the same in another order are one price; two prices are none', () => {
  const [reordered] = [{ accepts: price.accepts, x402Version: 2 }];
  expect(readToolResult({ isError: true, content: [text(reordered)], structuredContent: price }).kind).toBe(
    'payment-required',
  );
  const dearer = { ...price, accepts: [{ scheme: 'exact', amount: '2' }] };
  expect(readToolResult({ isError: true, content: [text(dearer)], structuredContent: price }).kind).toBe(
    'requirement-malformed',
  );
});

test('without isError nothing is a price: a tool may talk about prices', () => {
  expect(readToolResult({ structuredContent: price })).toMatchObject({ kind: 'result', isError: false });
});

test('an error that asks for no money is a failed tool', () => {
  for (const content of [
    [],
    [text('402')],
    [text('{"error":"x402"}')],
    [text('[{"accepts":[]}]')],
    [text('{')],
  ])
    expect(readToolResult({ isError: true, content })).toMatchObject({ kind: 'result', isError: true });
});

test('a price of more than 128 KiB is not read', () => {
  const huge = { ...price, accepts: Array.from({ length: 10_000 }, () => price.accepts[0]) };
  expect(readToolResult({ isError: true, content: [text(huge)] }).kind).toBe('result');
  expect(readToolResult({ isError: true, content: [text(huge)], structuredContent: huge }).kind).toBe(
    'requirement-malformed',
  );
});

test('structured content that no text repeats is added, so that nothing is lost', () => {
  const structuredContent = { a: 1, b: [2] };
  const repeated = [text({ b: [2], a: 1 })];
  expect(readToolResult({ content: repeated, structuredContent })).toMatchObject({ content: repeated });
  expect(readToolResult({ content: [text('words')], structuredContent })).toMatchObject({
    content: [text('words'), text(structuredContent)],
  });
  expect(readToolResult({})).toMatchObject({ content: [] });
});

test('a settlement is read from _meta, and from inside a repeated price', () => {
  const settlement = { success: false };
  const _meta = { 'x402/payment-response': settlement };
  expect(readToolResult({ content: [], _meta })).toMatchObject({ settlement });
  expect(readToolResult({ isError: true, structuredContent: { ...price, ..._meta } })).toMatchObject({
    kind: 'payment-required',
    settlement,
  });
});
