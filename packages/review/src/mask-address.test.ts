import { expect, test } from 'vitest';
import { maskAddress } from './mask-address.ts';

test.each([
  ['https://a.example/profile/save', '/profile/save', 'https://a.example/███'],
  ['https://a.example?q=1', '?q=1', 'https://a.example/███'],
  ['https://a.example/x/key', 'key', 'https://a.example/x/███'],
  ['https://a.example', 'a', 'https://a.example'],
  ['about:key', 'key', 'about:███'],
])('%s without %s is still an address: its host stays its host', (url, secret, masked) => {
  expect(maskAddress(url, (text) => text.replace(secret, '███'))).toBe(masked);
});
