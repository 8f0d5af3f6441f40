import { expect, test } from 'vitest';
import { knownChain } from './chains.ts';
import { kycSubmission, riskLevel, riskLevelNumber, riskLevelOf } from './compliance.ts';

test('the log counts 0 low, 1 moderate (medium), 2 high, 3 severe, and each number reads back', () => {
  expect(riskLevel.options.map(riskLevelNumber)).toEqual([0, 1, 2, 3]);
  for (const level of riskLevel.options) expect(riskLevelOf(riskLevelNumber(level))).toBe(level);
  expect([-1, 4, 0.5, Number.NaN].map(riskLevelOf)).toEqual([null, null, null, null]);
});

test.each([
  ['ETH', 'eip155:1'],
  ['1', 'eip155:1'],
  ['eip155:8453', 'eip155:8453'],
  ['base', 'eip155:8453'],
  ['84532', 'eip155:84532'],
  ['base-sepolia', 'eip155:84532'],
  ['polygon', 'eip155:137'],
  ['arbitrum', 'eip155:42161'],
  ['optimism', 'eip155:10'],
])('%s is %s', (text, caip2) => {
  expect(knownChain(text)).toBe(caip2);
});

test.each(['', 'solana', 'BASE', 'eip155:2', '01'])('no known chain: %j', (text) => {
  expect(knownChain(text)).toBeNull();
});

test('a country is an assigned ISO code, in capitals', () => {
  const submission = { fullName: 'A', documentType: 'passport', documentNumber: '1' };
  const accepts = (country: string) => kycSubmission.safeParse({ ...submission, country }).success;
  expect(['DE', 'US', 'ZW'].map(accepts)).toEqual([true, true, true]);
  expect(['ZZ', 'de', 'DEU', 'EU', ''].map(accepts)).toEqual([false, false, false, false, false]);
});
