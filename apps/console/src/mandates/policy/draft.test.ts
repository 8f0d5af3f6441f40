import type { MandatePolicy } from '@countersign/protocol/dashboard/policy';
import { expect, test } from 'vitest';
import { draftOf, readDraft } from './draft.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const open = {
  paused: false,
  period: null,
  allowedMerchants: null,
  allowedServices: null,
  approvalThreshold: null,
  newPayees: 'pay',
} satisfies MandatePolicy;
const strict = {
  paused: false,
  period: { every: 'week', budget: '2.5' },
  allowedMerchants: [address],
  allowedServices: [],
  approvalThreshold: '0',
  newPayees: 'ask',
} as unknown as MandatePolicy;

test.each([open, strict])(
  'what a form was filled with is what it says again: %j [dashboard.console.mandates.policy]',
  (policy) => {
    const { paused: _, ...rules } = policy;
    expect(readDraft(draftOf(policy))).toEqual({ ok: true, value: rules });
  },
);

test('entries stand on lines or after commas, each once [dashboard.console.mandates.policy]', () => {
  const draft = { ...draftOf(open), services: 'listed', serviceList: ' quotes,\narchive quotes\n' } as const;
  const read = readDraft(draft);
  expect(read.ok && read.value.allowedServices).toEqual(['quotes', 'archive']);
});

test('each field says what is wrong with it [dashboard.console.mandates.policy]', () => {
  const draft = {
    every: 'day',
    budget: '0',
    threshold: '1,5',
    merchants: 'listed',
    merchantList: 'bob',
    services: 'listed',
    serviceList: 's'.repeat(65),
    newPayees: 'pay',
  } as const;
  const read = readDraft(draft);
  expect(read.ok ? [] : Object.keys(read.error)).toEqual([
    'budget',
    'threshold',
    'merchantList',
    'serviceList',
  ]);
});
