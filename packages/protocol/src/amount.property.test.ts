import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addAmounts,
  type Amount,
  formatAmount,
  formatCents,
  fromBaseUnits,
  parseAmount,
  smallerAmount,
  subtractAmounts,
  toBaseUnits,
} from './amount.ts';

const unit = 10n ** 18n;
const amount = fc.bigInt({ min: 0n, max: 10n ** 36n - 1n }).map((scaled) => scaled as Amount);

test('what is formatted is read back as the same amount, and is canonical', () => {
  fc.assert(
    fc.property(amount, (value) => {
      const text = formatAmount(value);
      expect(parseAmount(text)).toBe(value);
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
    }),
  );
});

test('a plain decimal is read as the scaled integer that it is', () => {
  const integer = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
  const fraction = fc.bigInt({ min: 0n, max: unit - 1n });
  fc.assert(
    fc.property(integer, fraction, (whole, part) => {
      expect(parseAmount(`${whole}.${part.toString().padStart(18, '0')}`)).toBe(whole * unit + part);
    }),
  );
});

test('text that is no plain decimal is never an amount', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const isPlain = /^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/.test(text);
      expect(parseAmount(text) !== null).toBe(isPlain);
    }),
  );
});

test('sums, differences and minima agree with plain integers', () => {
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      expect(addAmounts(a, b)).toBe((a as bigint) + (b as bigint));
      expect(subtractAmounts(a, b)).toBe(a > b ? (a as bigint) - (b as bigint) : 0n);
      expect(smallerAmount(a, b)).toBe(a < b ? a : b);
    }),
  );
});

test('two digits are never more than half a cent off, and a tie goes up', () => {
  fc.assert(
    fc.property(amount, (value) => {
      const shown = parseAmount(formatCents(value));
      // Rounding 999…9.995 up needs a digit more than an amount may have.
      if (shown === null) return;
      const twice = 2n * ((shown as bigint) - (value as bigint));
      expect(twice > -unit / 100n && twice <= unit / 100n).toBe(true);
      expect(formatCents(value)).toMatch(/^\d+\.\d\d$/);
    }),
  );
});

test('base units and amounts are two spellings of one number', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 18n }),
      fc.integer({ min: 0, max: 18 }),
      (units, decimals) => {
        expect(toBaseUnits(fromBaseUnits(units, decimals), decimals)).toBe(units);
      },
    ),
  );
});
