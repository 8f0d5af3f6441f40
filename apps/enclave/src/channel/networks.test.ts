import { expect, test } from 'vitest';
import { readNetwork } from './networks.ts';

test.each(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8', '0.0.0.0/0'])('%s can be named', (text) => {
  expect(readNetwork(text)).toEqual({ ok: true, value: text });
});

test.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '::1/129', '10.1'])(
  '"%s" cannot be named',
  (text) => {
    expect(readNetwork(text).ok).toBe(false);
  },
);
