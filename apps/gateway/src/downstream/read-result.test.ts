import { expect, test } from 'vitest';
import { type RawToolResult, readToolResult } from './read-result.ts';

const read = (result: RawToolResult, context: Partial<Parameters<typeof readToolResult>[1]> = {}) =>
  readToolResult(result, { dialect: 'specified', annotations: undefined, ...context });

const outcomeOf = (...result: Parameters<typeof read>) => read(...result).outcome;

const price = { x402Version: 2, accepts: [{ scheme: 'exact', amount: '1' }] };
const text = (value: unknown) => ({
  type: 'text',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

test('a price is found in structured content, in the first text, and in both', () => {
  const found = { kind: 'payment-required', requirement: price };
  expect(outcomeOf({ isError: true, structuredContent: price })).toMatchObject(found);
  expect(outcomeOf({ isError: true, content: [text(price)] })).toMatchObject(found);
  expect(outcomeOf({ isError: true, content: [text(price)], structuredContent: price })).toMatchObject(found);
  const wrapped = { 'x402/error': { code: 402, data: price } };
  expect(outcomeOf({ isError: true, content: [text(wrapped)] })).toMatchObject(found);
});

test('two copies that say the same in another order are one price; two prices are none', () => {
  const [reordered] = [{ accepts: price.accepts, x402Version: 2 }];
  expect(outcomeOf({ isError: true, content: [text(reordered)], structuredContent: price }).kind).toBe(
    'payment-required',
  );
  const dearer = { ...price, accepts: [{ scheme: 'exact', amount: '2' }] };
  expect(outcomeOf({ isError: true, content: [text(dearer)], structuredContent: price }).kind).toBe(
    'requirement-malformed',
  );
});

test('without isError nothing is a price: a tool may talk about prices', () => {
  expect(outcomeOf({ structuredContent: price })).toMatchObject({ kind: 'result', isError: false });
});

test('an error that asks for no money is a failed tool', () => {
  for (const content of [
    [],
    [text('402')],
    [text('{"error":"x402"}')],
    [text('[{"accepts":[]}]')],
    [text('{')],
  ])
    expect(outcomeOf({ isError: true, content })).toMatchObject({ kind: 'result', isError: true });
});

test('a price of more than 128 KiB is not read', () => {
  const huge = { ...price, accepts: Array.from({ length: 10_000 }, () => price.accepts[0]) };
  expect(outcomeOf({ isError: true, content: [text(huge)] }).kind).toBe('result');
  for (const content of [[], [text(huge)]])
    expect(outcomeOf({ isError: true, content, structuredContent: huge }).kind).toBe('requirement-malformed');
  const _meta = { 'x402/error': huge };
  expect(outcomeOf({ isError: true, _meta }).kind).toBe('requirement-malformed');
});

test('structured content and _meta stay what they are, beside the content; the settlement is told once', () => {
  const structuredContent = { a: 1, b: [2] };
  expect(outcomeOf({ content: [text('words')], structuredContent })).toMatchObject({
    content: [text('words')],
    structured: structuredContent,
    meta: undefined,
  });
  const _meta = { 'example/page': 2, 'x402/payment-response': { success: true } };
  expect(outcomeOf({ _meta })).toMatchObject({
    content: [],
    structured: undefined,
    meta: { 'example/page': 2 },
    settlement: { success: true },
  });
});

test('a settlement is read from _meta, and from inside a repeated price', () => {
  const settlement = { success: false };
  const _meta = { 'x402/payment-response': settlement };
  expect(outcomeOf({ content: [], _meta })).toMatchObject({ settlement });
  expect(outcomeOf({ isError: true, structuredContent: { ...price, ..._meta } })).toMatchObject({
    kind: 'payment-required',
    settlement,
  });
});

test('a price in _meta alone is paid as text; beside structured content it is a copy [gateway.paying.dialect.meta-error]', () => {
  const _meta = { 'x402/error': price };
  const alone = { isError: true, _meta, content: [text(price)] };
  expect(read(alone)).toMatchObject({ asksIn: 'meta-error', outcome: { requirement: price } });
  expect(read({ ...alone, structuredContent: price }).asksIn).toBe('specified');
  const wrapped = { isError: true, _meta: { 'x402/error': { code: 402, data: price } } };
  expect(read(wrapped)).toMatchObject({ asksIn: 'meta-error', outcome: { requirement: price } });
  const other = { ...price, accepts: [] };
  expect(read({ ...alone, content: [text(other)] }).outcome.kind).toBe('requirement-malformed');
});

test('dotted keys are for v1 with the hint or with the key in its error [gateway.paying.dialect.dotted-keys]', () => {
  const v1 = { ...price, x402Version: 1 };
  const asksIn = (required: object, annotations?: Record<string, unknown>) =>
    read({ isError: true, structuredContent: required }, { annotations }).asksIn;
  expect(asksIn(v1, { paymentHint: true })).toBe('dotted-keys');
  expect(asksIn({ ...v1, error: '_meta.x402.payment is required' })).toBe('dotted-keys');
  expect(asksIn({ ...v1, error: '_meta["x402.payment"] is missing' })).toBe('dotted-keys');
  expect(asksIn({ ...v1, error: 'x402 payment is missing' })).toBe('specified');
  expect(asksIn(price, { paymentHint: true })).toBe('specified');
});

test('a settlement is read from the key of the dialect that was spoken', () => {
  const [dotted, specified] = [{ success: true }, { success: false }];
  const both = { _meta: { 'x402.payment-response': dotted, 'x402/payment-response': specified } };
  expect(read(both, { dialect: 'dotted-keys' }).outcome).toMatchObject({ settlement: dotted });
  expect(read(both).outcome).toMatchObject({ settlement: specified });
  const [only] = [{ _meta: { 'x402.payment-response': dotted } }];
  expect(read(only).outcome).toMatchObject({ settlement: undefined });
});
