import { expect, test } from 'vitest';
import { type Amount, decimalText, formatAmount, formatCents, parseAmount, toBaseUnits } from './amount.ts';

test.each([
  '',
  ' 1',
  '1 ',
  '-1',
  '+1',
  '01',
  '1.',
  '.5',
  '1e3',
  '1E-3',
  'NaN',
  'Infinity',
  '0x10',
  '1,000',
  '1_000',
  '٣',
  '１',
])('no amount: %j', (text) => {
  expect(parseAmount(text)).toBeNull();
  expect(decimalText.safeParse(text).success).toBe(false);
});

test('18 digits before and 18 after the point fit, one more on either side does not', () => {
  const nines = '9'.repeat(18);
  expect(formatAmount(parseAmount(`${nines}.${nines}`) as Amount)).toBe(`${nines}.${nines}`);
  expect(parseAmount(`${nines}9`)).toBeNull();
  expect(parseAmount(`0.${nines}9`)).toBeNull();
});

test('amounts that floating point confuses stay apart', () => {
  expect(parseAmount('99.999999999999999999')).toBeLessThan(parseAmount('100') as bigint);
  expect(parseAmount('0.30')).toBe(parseAmount('0.3'));
});

test.each([
  ['0', '0.00'],
  ['0.004', '0.00'],
  ['0.005', '0.01'],
  ['0.014999999999999999', '0.01'],
  ['0.995', '1.00'],
  ['12', '12.00'],
])('%s is logged as %s', (text, shown) => {
  expect(formatCents(parseAmount(text) as Amount)).toBe(shown);
});

test('an amount finer than the token has no base units', () => {
  expect(toBaseUnits(parseAmount('0.0000001') as Amount, 6)).toBeNull();
  expect(toBaseUnits(parseAmount('0.01') as Amount, 6)).toBe(10_000n);
});
