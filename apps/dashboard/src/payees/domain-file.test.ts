import { addressText } from '@countersign/protocol/address';
import { expect, test } from 'vitest';
import type { SignedAs } from '../auth/wallet-signature.ts';
import { saidOf } from './domain-file.ts';

const address = addressText.parse(`0x${'1'.repeat(40)}`);
const [here, elsewhere] = ['eip155:8453', 'eip155:1'];
const now = new Date('2026-11-27T00:00:00Z');

/** What a proof for these networks is worth to a record for those, signed so. */
async function verdict(signed: SignedAs, proved: readonly string[], recorded: readonly string[] | null) {
  const proof = {
    domain: 'shop.example',
    address,
    networks: [...proved],
    notBefore: '2026-01-01T00:00:00Z',
    notAfter: '2027-01-01T00:00:00Z',
    signature: '0x00',
  };
  const payout = { address, domain: 'shop.example', networks: recorded === null ? null : [...recorded] };
  return (await saidOf([proof], payout, { signedBy: async () => signed, chain: here, now })).verdict;
}

test('a contract proves its domain for the chain that it was asked on alone [dashboard.payees.domain.contract]', async () => {
  expect(await verdict('contract', [], [here])).toBe('PROVED');
  expect(await verdict('contract', [here, elsewhere], [here])).toBe('PROVED');
  // The control: a key is one and the same everywhere.
  for (const recorded of [null, [elsewhere], [here, elsewhere]]) {
    expect(await verdict('key', [], recorded)).toBe('PROVED');
    expect(await verdict('contract', [], recorded)).toBe('OTHER_NETWORK');
  }
  expect(await verdict('contract', [elsewhere], [elsewhere])).toBe('OTHER_NETWORK');
  expect(await verdict(null, [], [here])).toBe('SIGNATURE_INVALID');
});
