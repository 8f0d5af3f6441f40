import * as fc from 'fast-check';
import { getAddress } from 'viem';
import { expect, test } from 'vitest';
import { addressText, parseAddress, sameAddress } from './address.ts';

// EIP-55, "Test Cases".
const checksummed = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

test.each(checksummed)('%s is accepted in any case and given back as it is', (address) => {
  expect(parseAddress(address)).toBe(address);
  expect(parseAddress(address.toLowerCase())).toBe(address);
  expect(parseAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
  expect(sameAddress(address, address.toLowerCase())).toBe(true);
});

test('mixed case with a wrong checksum is a typing error', () => {
  expect(parseAddress('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBeNull();
});

test.each([
  '',
  '0x',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
  '0X52908400098527886E0F7030069857D2E4169EE7',
  'vitalik.eth',
])('no address: %j', (text) => {
  expect(parseAddress(text)).toBeNull();
  expect(addressText.safeParse(text).success).toBe(false);
});

test('the checksum is the one that viem computes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const lower = `0x${Buffer.from(bytes).toString('hex')}` as const;
      expect(parseAddress(lower)).toBe(getAddress(lower));
    }),
  );
});
