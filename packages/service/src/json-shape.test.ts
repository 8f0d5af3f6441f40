import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { exceeded } from './json-shape.ts';

const none = Number.POSITIVE_INFINITY;
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('the depth that is found is that of the value, whatever stands in its texts [system.service.json-limits]', () => {
  assert(
    property(jsonValue({ maxDepth: 8 }), (value) => {
      const [json, depth] = [Buffer.from(JSON.stringify(value)), depthOf(value)];
      expect(exceeded(json, { depth, members: none })).toBe(null);
      expect(exceeded(json, { depth: depth - 1, members: none })).toBe(depth > 0 ? 'depth' : null);
    }),
  );
});

test.each([
  ['items', `[${'0,'.repeat(999)}0]`],
  ['members', `{${Array.from({ length: 1000 }, (_, i) => `"${i}":0`).join()}}`],
  ['empty lists', `[${'[],'.repeat(499)}[]]`],
])('%s are counted', (_, text) => {
  expect(exceeded(Buffer.from(text), { depth: 2, members: 1000 })).toBe(null);
  expect(exceeded(Buffer.from(text), { depth: 2, members: 998 })).toBe('members');
});

test('a text without an end, and a megabyte of brackets, are read once', () => {
  expect(exceeded(Buffer.from(`["${'['.repeat(1e6)}\\`), { depth: 1, members: 10 })).toBe(null);
  expect(exceeded(Buffer.from('['.repeat(1e6)), { depth: none, members: none })).toBe(null);
});
