import { expect, test } from 'vitest';
import { amount } from '../../test/samples.ts';
import type { AssuranceVerdict } from './verdicts.ts';
import type { ComplianceVerdict } from './verdicts.ts';
import type { CartPolicy } from './policy.ts';
import { decidePayment } from './decide.ts';

const screened = (refusal: ComplianceVerdict['refusal']) => ({ refusal }) as ComplianceVerdict;
const budget = { remaining: amount('20'), signed: amount('20'), askedAt: 0 };
const verdicts = {
  passed: { kind: 'passed', mandateId: 'mdt_1', budget },
  skipped: { kind: 'skipped' },
  'over-limit': { kind: 'over-limit', code: 'PER_TX_LIMIT_EXCEEDED', mandateId: 'mdt_1' },
  refused: { kind: 'refused', code: 'VC_PROOF_INVALID' },
} as const;
const decide = (
  refusal: ComplianceVerdict['refusal'],
  kind: keyof typeof verdicts,
  policy: CartPolicy = 'budget',
  price = '0.5',
  approved = false,
) =>
  decidePayment(
    screened(refusal),
    verdicts[kind] as unknown as AssuranceVerdict,
    { policy, amount: amount(price), cap: amount('1'), daily: amount('10'), at: 7 },
    approved,
  );

test('a compliance failure refuses whatever the mandate check says, and is the code that is named', () => {
  for (const kind of ['passed', 'skipped', 'over-limit', 'refused'] as const) {
    expect(decide('PAYEE_KYT_REJECTED', kind)).toMatchObject({ kind: 'refuse', code: 'PAYEE_KYT_REJECTED' });
  }
});

test('both checks passed: pay within the budget', () => {
  expect(decide(null, 'passed')).toEqual({ kind: 'pay', mandateId: 'mdt_1', budget });
});

test('a limit asks the owner, a failed check refuses', () => {
  expect(decide(null, 'over-limit')).toEqual({ kind: 'ask-owner', reason: 'PER_TX_LIMIT_EXCEEDED' });
  expect(decide(null, 'refused')).toMatchObject({ kind: 'refuse', code: 'VC_PROOF_INVALID' });
});

test('where no mandate applies the policy decides, and the caps of a payment and of a day hold', () => {
  const ofTheDay = { remaining: amount('10'), signed: amount('10'), askedAt: 7 };
  for (const policy of ['budget', 'skip'] as const) {
    const paid = { kind: 'pay', mandateId: null, budget: ofTheDay };
    expect(decide(null, 'skipped', policy)).toEqual(paid);
    expect(decide(null, 'skipped', policy, '1')).toEqual(paid);
    expect(decide(null, 'skipped', policy, '1.000001')).toMatchObject({
      kind: 'refuse',
      code: 'PAYMENT_UNSUPPORTED',
    });
  }
  expect(decide(null, 'skipped', 'challenge')).toEqual({ kind: 'ask-owner', reason: 'CART_MANDATE_MISSING' });
  for (const policy of ['require', 'reject'] as const)
    expect(decide(null, 'skipped', policy)).toMatchObject({ kind: 'refuse', code: 'PAYMENT_UNSUPPORTED' });
});

test('the owner’s approval waives the limits, and nothing else', () => {
  const decided = (kind: keyof typeof verdicts, policy: CartPolicy = 'budget') =>
    decide(null, kind, policy, '0.5', true);
  expect(decided('over-limit')).toEqual({ kind: 'pay', mandateId: 'mdt_1', budget: null });
  expect(decided('passed')).toEqual({ kind: 'pay', mandateId: 'mdt_1', budget: null });
  expect(decided('skipped', 'challenge')).toEqual({ kind: 'pay', mandateId: null, budget: null });
  expect(decided('skipped', 'require')).toMatchObject({ kind: 'refuse' });
  expect(decided('refused')).toMatchObject({ kind: 'refuse', code: 'VC_PROOF_INVALID' });
  expect(decide('PAYER_KYT_REJECTED', 'over-limit', 'skip', '0.5', true)).toMatchObject({ kind: 'refuse' });
});
