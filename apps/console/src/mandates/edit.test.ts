import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { expect, test } from 'vitest';
import { consequenceOf, editFaults, editOf } from './edit.ts';

const budgetConstraints = { totalBudget: '20', perTransactionLimit: '1', currency: 'USDC' };
const mandate = {
  title: 'Research agent',
  perTxLimit: '1',
  totalBudget: '10',
  usedAmount: '2.5',
  heldAmount: '0.5',
  vcJson: { credentialSubject: { budgetConstraints } },
} as Mandate;
const edit = (part: object) => ({ ...editOf(mandate), ...part });

test('a name and a budget up to the signed one are saved at once, everything else needs a signature [dashboard.console.mandates.edit]', () => {
  expect(consequenceOf(mandate, edit({ totalBudget: '10.00' }))).toBe('nothing');
  expect(consequenceOf(mandate, edit({ title: 'Other' }))).toBe('at-once');
  expect(consequenceOf(mandate, edit({ totalBudget: '4' }))).toBe('at-once');
  expect(consequenceOf(mandate, edit({ totalBudget: '20' }))).toBe('at-once');
  expect(consequenceOf(mandate, edit({ totalBudget: '20.000001' }))).toBe('signature');
  expect(consequenceOf(mandate, edit({ perTxLimit: '0.5' }))).toBe('signature');
  expect(consequenceOf({ ...mandate, vcJson: null }, edit({ totalBudget: '4' }))).toBe('signature');
});

test('no budget is below what is used and held, and no payment above a budget [dashboard.console.mandates.edit]', () => {
  expect(editFaults(mandate, edit({ totalBudget: '3' }))).toEqual({});
  expect(editFaults(mandate, edit({ totalBudget: '2.999' }))).toEqual({
    totalBudget: '3 USDC is already used or held.',
  });
  expect(Object.keys(editFaults(mandate, edit({ perTxLimit: '11' })))).toEqual(['perTxLimit']);
  expect(Object.keys(editFaults(mandate, { title: ' ', perTxLimit: '1,5', totalBudget: '0' }))).toEqual([
    'title',
    'perTxLimit',
    'totalBudget',
  ]);
});
