import { expect, test } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

test('counts objects and arrays, not what lies in them', () => {
  expect(isDeeperThan('text', 0)).toBe(false);
  expect(isDeeperThan(null, 0)).toBe(false);
  expect(isDeeperThan({}, 0)).toBe(true);
  expect(isDeeperThan({ a: 1, b: 'x' }, 1)).toBe(false);
  expect(isDeeperThan({ a: [{ b: 1 }] }, 2)).toBe(true);
  expect(isDeeperThan({ a: [{ b: 1 }] }, 3)).toBe(false);
});

test('a depth that overflows any recursion is told', () => {
  expect(isDeeperThan(nested(500_000), 64)).toBe(true);
  expect(isDeeperThan(nested(64), 64)).toBe(false);
});
