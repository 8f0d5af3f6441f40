import type { Address } from '@countersign/protocol/address';
import type { PayeeFacts } from '@countersign/protocol/dashboard/payees';
import { expect, test } from 'vitest';
import { narrows } from './narrow.ts';

const [one, other] = ['0x01', '0x02'] as unknown as readonly [Address, Address];
const before: PayeeFacts = {
  legalName: 'Quotes KG',
  domain: 'quotes.example',
  addresses: [
    { address: one, networks: null },
    { address: other, networks: ['eip155:1', 'eip155:10'] },
  ],
  links: [],
  registryNumbers: [],
  validUntil: '2027-01-01T00:00:00.000Z',
};
const [any, some] = before.addresses as [PayeeFacts['addresses'][0], PayeeFacts['addresses'][0]];

test.each<[string, Partial<PayeeFacts>]>([
  ['the same', {}],
  ['an address less', { addresses: [any] }],
  ['a network less', { addresses: [{ ...some, networks: ['eip155:10'] }] }],
  ['one network instead of any', { addresses: [{ ...any, networks: ['eip155:1'] }] }],
  ['an earlier end', { validUntil: '2026-12-01T00:00:00Z' }],
])('%s vouches for no more', (_, more) => {
  expect(narrows(before, { ...before, ...more })).toBe(true);
});

test.each<[string, Partial<PayeeFacts>]>([
  ['another address', { addresses: [{ address: '0x03' as unknown as Address, networks: null }] }],
  ['another network', { addresses: [{ ...some, networks: ['eip155:137'] }] }],
  ['any network', { addresses: [{ ...some, networks: null }] }],
  ['a later end', { validUntil: '2027-01-01T00:00:00.001Z' }],
  ['another name', { legalName: 'Quotes AG' }],
  ['another domain', { domain: 'other.example' }],
  ['other evidence', { registryNumbers: ['HRB 1'] }],
])('%s vouches for more, or for somebody else', (_, more) => {
  expect(narrows(before, { ...before, ...more })).toBe(false);
});
