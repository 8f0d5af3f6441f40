import { addressText } from '@countersign/protocol/address';
import type { MandatePolicy } from '@countersign/protocol/dashboard/policy';
import { expect, test } from 'vitest';
import { loosenedBy } from './loosening.ts';

const address = addressText.parse('0x00000000000000000000000000000000000000aa');
const open: MandatePolicy = {
  paused: false,
  period: null,
  allowedMerchants: null,
  allowedServices: null,
  approvalThreshold: null,
  newPayees: 'pay',
};
const tight: MandatePolicy = {
  paused: true,
  period: { every: 'week', budget: '10' },
  allowedMerchants: [address],
  allowedServices: ['weather', 'maps'],
  approvalThreshold: '2.50',
  newPayees: 'ask',
};

test('lifting every rule loosens every rule, and setting them loosens none', () => {
  expect(loosenedBy(tight, open)).toEqual(Object.keys(tight));
  expect(loosenedBy(open, tight)).toEqual([]);
  expect(loosenedBy(tight, tight)).toEqual([]);
});

test.each<[string, Partial<MandatePolicy>, readonly string[]]>([
  ['a lower budget', { period: { every: 'week', budget: '9.99' } }, []],
  ['a higher budget', { period: { every: 'week', budget: '10.01' } }, ['period']],
  ['the same budget in another period', { period: { every: 'month', budget: '10' } }, ['period']],
  ['a service fewer', { allowedServices: ['maps'] }, []],
  ['another service', { allowedServices: ['maps', 'news'] }, ['allowedServices']],
  ['nobody', { allowedMerchants: [] }, []],
  ['the same threshold in other digits', { approvalThreshold: '2.5' }, []],
  ['a higher threshold', { approvalThreshold: '10' }, ['approvalThreshold']],
  ['new payees left out', { newPayees: undefined }, []],
])('%s: a rule is loosened only where it refuses less', (_, change, loosened) => {
  expect(loosenedBy(tight, { ...tight, ...change })).toEqual(loosened);
});
