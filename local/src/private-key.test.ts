import { expect, test } from 'vitest';
import { privateKey } from './private-key.ts';

const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

test('a key is a number from 1 to below the order of the curve, in 64 hex digits', () => {
  const one = `0x${'1'.padStart(64, '0')}`;
  expect(privateKey(one)).toEqual({ ok: true, value: one });
  for (const bad of [`0x${'0'.repeat(64)}`, `0x${order}`, one.slice(2), `${one}0`, 'hunter2', ''])
    expect(privateKey(bad)).toEqual({ ok: false, error: 'must be a private key: 0x and 64 hex digits' });
});
