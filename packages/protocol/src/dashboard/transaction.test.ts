import { expect, test } from 'vitest';
import { transactionReport } from './transaction.ts';

const report = { serviceName: 'quotes', serviceResult: 'pass', chain: 'base' };
const accepts = (more: object) => transactionReport.safeParse({ ...report, ...more }).success;

test('the required fields alone are a report', () => {
  expect(accepts({})).toBe(true);
});

test('an amount must fit (18,2) after rounding', () => {
  expect(accepts({ amount: '9999999999999999.994' })).toBe(true);
  expect(accepts({ amount: '9999999999999999.995' })).toBe(false);
  expect(accepts({ amount: '10000000000000000' })).toBe(false);
});

test('texts end at their documented lengths', () => {
  expect(
    accepts({
      serviceName: 's'.repeat(64),
      chain: 'c'.repeat(20),
      txHash: 'h'.repeat(128),
      tokenSymbol: 't'.repeat(20),
    }),
  ).toBe(true);
  expect(accepts({ serviceName: 's'.repeat(65) })).toBe(false);
  expect(accepts({ chain: 'c'.repeat(21) })).toBe(false);
  expect(accepts({ txHash: 'h'.repeat(129) })).toBe(false);
  expect(accepts({ tokenSymbol: 't'.repeat(21) })).toBe(false);
});

test('screening results are 0 or 1, risk levels 0 to 3', () => {
  expect(accepts({ payerKycResult: 1, payeeKytResult: 0, payerKytRiskLevel: 3 })).toBe(true);
  expect(accepts({ payerKycResult: 2 })).toBe(false);
  expect(accepts({ payeeKytRiskLevel: 4 })).toBe(false);
  expect(accepts({ payeeKytRiskLevel: 1.5 })).toBe(false);
});
