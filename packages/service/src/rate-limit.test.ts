import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

test('a key may call so often a minute, and is then told how long to wait', () => {
  let now = new Date('2026-01-01T00:00:00Z');
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const limit = createRateLimit(2, () => now);
  expect([limit.take('a'), limit.take('a')]).toEqual([null, null]);
  expect(limit.take('b')).toBeNull();
  later(20_500);
  expect(limit.take('a')).toBe(40);
  later(39_500);
  expect(limit.take('a')).toBeNull();
});

test('a flood from ever new keys does not grow memory without end', () => {
  const limit = createRateLimit(1, () => new Date(0));
  for (let i = 0; i < 100_000; i++) limit.take(`key ${i}`);
  expect(limit.take('key 0')).toBe(60);
  expect(limit.take('one more')).toBeNull();
  expect(limit.take('key 1')).toBeNull();
});
