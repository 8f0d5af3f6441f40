import { expect, test } from 'vitest';
import { Bytes } from './bytes.ts';

test('what arrives byte by byte costs what it is long', () => {
  const bytes = new Bytes();
  const one = Buffer.from('x');
  const before = process.memoryUsage();
  for (let n = 0; n < 1_000_000; n++) bytes.add(one);
  const after = process.memoryUsage();
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(8_000_000);
  expect(bytes.whole().equals(Buffer.alloc(1_000_000, 'x'))).toBe(true);
});

test('pieces of any length are one, in their order', () => {
  const bytes = new Bytes();
  expect(bytes.whole()).toHaveLength(0);
  const first = Buffer.from('ab');
  bytes.add(first);
  bytes.add(Buffer.alloc(0));
  for (const piece of ['c', 'd'.repeat(5000), 'e']) bytes.add(Buffer.from(piece));
  expect(bytes.whole().toString()).toBe(`abc${'d'.repeat(5000)}e`);
  expect(first.toString()).toBe('ab');
});
