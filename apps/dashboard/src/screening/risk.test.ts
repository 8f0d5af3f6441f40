import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Risk, Unavailable } from './ports.ts';
import {
  chainalysisRisk,
  combine,
  decide,
  ellipticRisk,
  notListed,
  sanctioned,
  type ScreeningPolicy,
  trmRisk,
} from './risk.ts';

const policy = (change: Partial<ScreeningPolicy> = {}): ScreeningPolicy => ({
  rejectAt: 'high',
  require: 'all',
  ...change,
});

test('every vendor’s scale becomes one level and a score of 0 to 100', () => {
  expect(chainalysisRisk('Medium', 'known')).toEqual({
    riskLevel: 'medium',
    riskScore: 40,
    attribution: 'known',
  });
  expect(trmRisk(['Low', 'High', 'Medium'])).toEqual({
    riskLevel: 'high',
    riskScore: 67,
    attribution: 'known',
  });
  expect(trmRisk([])).toEqual(notListed);
  const levels = [0, 2.99, 3, 5.99, 6, 8.99, 9, 10].map(
    (score) => ellipticRisk(score, false, 'none').riskLevel,
  );
  expect(levels).toEqual(['low', 'low', 'medium', 'medium', 'high', 'high', 'severe', 'severe']);
  expect(ellipticRisk(null, false, 'none')).toEqual(notListed);
  expect(ellipticRisk(0.1, true, 'none')).toEqual(sanctioned);
});

test('the lowest level that is rejected is a setting', () => {
  const decisions = (rejectAt: ScreeningPolicy['rejectAt']) =>
    (['Low', 'Medium', 'High', 'Severe'] as const).map((word) =>
      decide(chainalysisRisk(word, 'known'), policy({ rejectAt })),
    );
  expect(decisions('medium')).toEqual(['pass', 'reject', 'reject', 'reject']);
  expect(decisions('high')).toEqual(['pass', 'pass', 'reject', 'reject']);
  expect(decisions('severe')).toEqual(['pass', 'pass', 'pass', 'reject']);
});

type Answer = (Risk & { readonly kind: 'screened' }) | Unavailable;
const clean: Answer = { kind: 'screened', ...notListed };
const medium: Answer = { kind: 'screened', ...chainalysisRisk('Medium', 'known') };
const listed: Answer = { kind: 'screened', ...sanctioned };
const absent: Unavailable = { kind: 'unavailable', why: 'timeout', detail: '', raw: null };

test.each([
  ['one clean answer', [clean], 'all', clean],
  ['the worst of several', [clean, medium, clean], 'all', medium],
  ['a reject wins over a pass', [clean, listed], 'all', listed],
  ['a reject wins over no answer', [absent, listed], 'all', listed],
  ['of all, one is missing', [clean, absent], 'all', absent],
  ['of any, one is missing', [absent, clean], 'any', clean],
  ['of any, all are missing', [absent, absent], 'any', absent],
] as const)('%s', (_, answers, require, expected) => {
  expect(combine<Risk & { readonly kind: 'screened' }>(answers, policy({ require }))).toEqual(expected);
});

test('nobody asked is no pass', () => {
  expect(combine([], policy({ require: 'any' }))).toMatchObject({ kind: 'unavailable' });
});

test('whatever the order, a reject is found, and a pass never comes from an absent answer', () => {
  const answers = fc.array(fc.constantFrom<Answer>(clean, medium, listed, absent), { maxLength: 6 });
  const require = fc.constantFrom('all' as const, 'any' as const);
  fc.assert(
    fc.property(answers, require, (given, required) => {
      const answer = combine<Risk & { readonly kind: 'screened' }>(given, policy({ require: required }));
      const passes = answer.kind === 'screened' && decide(answer, policy()) === 'pass';
      const mayPass =
        !given.includes(listed) &&
        given.some((each) => each === clean || each === medium) &&
        (required === 'any' || !given.includes(absent));
      expect({ passes, rejects: answer === listed }).toEqual({
        passes: mayPass,
        rejects: given.includes(listed),
      });
    }),
  );
});
