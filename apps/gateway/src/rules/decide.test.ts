import { expect, test } from 'vitest';
import { amount } from '../../test/samples.ts';
import type { AssuranceVerdict } from '../checks/assurance.ts';
import type { ComplianceVerdict } from '../checks/compliance.ts';
import { decidePayment } from './decide.ts';

const screened = (refusal: ComplianceVerdict['refusal']) => ({ refusal }) as ComplianceVerdict;
const budget = { mandateId: 'mdt_1', remaining: amount('20'), askedAt: 0 };
const verdicts = {
  passed: { kind: 'passed', budget },
  skipped: { kind: 'skipped' },
  'over-limit': { kind: 'over-limit', code: 'PER_TX_LIMIT_EXCEEDED', mandateId: 'mdt_1' },
  refused: { kind: 'refused', code: 'VC_PROOF_INVALID' },
} as const;
const decide = (
  refusal: ComplianceVerdict['refusal'],
  kind: keyof typeof verdicts,
  policy: 'skip' | 'challenge' | 'reject' = 'skip',
  price = '0.5',
) =>
  decidePayment(screened(refusal), verdicts[kind] as unknown as AssuranceVerdict, {
    policy,
    amount: amount(price),
    cap: amount('1'),
  });

test('a compliance failure refuses whatever the mandate check says, and is the code that is named', () => {
  for (const kind of ['passed', 'skipped', 'over-limit', 'refused'] as const) {
    expect(decide('PAYEE_KYT_REJECTED', kind)).toMatchObject({ kind: 'refuse', code: 'PAYEE_KYT_REJECTED' });
  }
});

test('both checks passed: pay within the budget', () => {
  expect(decide(null, 'passed')).toEqual({ kind: 'pay', budget });
});

test('a limit asks the owner, a failed check refuses', () => {
  expect(decide(null, 'over-limit')).toEqual({ kind: 'ask-owner', reason: 'PER_TX_LIMIT_EXCEEDED' });
  expect(decide(null, 'refused')).toMatchObject({ kind: 'refuse', code: 'VC_PROOF_INVALID' });
});

test('without a cart the policy decides, and the cap holds', () => {
  expect(decide(null, 'skipped', 'skip')).toEqual({ kind: 'pay', budget: null });
  expect(decide(null, 'skipped', 'skip', '1')).toEqual({ kind: 'pay', budget: null });
  expect(decide(null, 'skipped', 'skip', '1.000001')).toMatchObject({
    kind: 'refuse',
    code: 'PAYMENT_UNSUPPORTED',
  });
  expect(decide(null, 'skipped', 'challenge')).toEqual({ kind: 'ask-owner', reason: 'CART_MANDATE_MISSING' });
  expect(decide(null, 'skipped', 'reject')).toMatchObject({ kind: 'refuse', code: 'PAYMENT_UNSUPPORTED' });
});
