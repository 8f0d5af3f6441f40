import { expect, test } from 'vitest';
import { explorerLink } from './explorer.ts';

const hash = `0x${'ab'.repeat(32)}`;
const local = { chain: 'eip155:84532', chainIsLocal: true };
const real = { ...local, chainIsLocal: false };

test.each(['base-sepolia', '84532', 'eip155:84532'])(
  'a local chain under the name %s has no explorer, and the real one has [dashboard.console.transactions.explorer]',
  (chain) => {
    expect(explorerLink(chain, hash, local)).toBeNull();
    expect(explorerLink(chain, hash, real)).toBe(`https://sepolia.basescan.org/tx/${hash}`);
  },
);

test('other chains than the local one keep their explorers; no hash and no known chain has none', () => {
  expect(explorerLink('base', hash, local)).toBe(`https://basescan.org/tx/${hash}`);
  expect(explorerLink('solana', hash, real)).toBeNull();
  expect(explorerLink('base', 'https://evil.example', real)).toBeNull();
});
