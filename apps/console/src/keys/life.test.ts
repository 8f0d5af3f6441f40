import { expect, test } from 'vitest';
import { expiresSoon, keyLife } from './life.ts';

const now = Date.parse('2026-11-26T12:00:00.000Z');
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();
const key = (revokedAt: string | null, expiresAt: string | null) => ({ revokedAt, expiresAt });

test('a key lives until it is revoked or has expired, whichever comes first', () => {
  expect(keyLife(key(null, null), now)).toBe('live');
  expect(keyLife(key(null, inDays(1)), now)).toBe('live');
  expect(keyLife(key(null, inDays(0)), now)).toBe('expired');
  expect(keyLife(key(inDays(1), inDays(2)), now)).toBe('ending');
  expect(keyLife(key(inDays(1), inDays(0)), now)).toBe('ended');
  expect(keyLife(key(inDays(0), inDays(2)), now)).toBe('ended');
});

test('of a key that ends within 14 days its owner is warned, until it was rolled', () => {
  expect(expiresSoon(key(null, inDays(14)), now)).toBe(true);
  expect(expiresSoon(key(null, inDays(15)), now)).toBe(false);
  expect(expiresSoon(key(null, null), now)).toBe(false);
  expect(expiresSoon(key(inDays(1), inDays(2)), now)).toBe(false);
  expect(expiresSoon(key(null, inDays(0)), now)).toBe(false);
});
