import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newDecoy } from './shape.ts';

const classOf = (character: string): string =>
  [/\p{Lu}/u, /\p{Ll}/u, /\p{N}/u, /\s/u, /\p{L}/u].find((one) => one.test(character))?.source ?? 'sign';

test('a decoy has the shape of the secret, and is never the secret [vault.sandbox.decoy.page-sees-decoy]', () => {
  const secret = fc.oneof(
    fc.string({ minLength: 1, unit: 'grapheme-ascii' }),
    fc.stringMatching(/^[a-z]{3,9}[.+_]?[A-Z0-9]{1,5}@[a-z]{2,8}\.[a-z]{2,3}$/),
    fc.stringMatching(/^\d{4,8}$/),
    fc.stringMatching(/^[à-öа-яぁ-ゖ一-鿕]{2,12}$/),
  );
  fc.assert(
    fc.property(secret, (text) => {
      const made = newDecoy(Buffer.from(text), randomBytes);
      fc.pre(made !== null || /[\p{L}\p{N}]/u.test(text));
      const decoy = made ?? text;
      expect(decoy).not.toBe(text);
      expect(decoy).toHaveLength(text.length);
      expect(Buffer.byteLength(decoy)).toBe(Buffer.byteLength(text));
      expect(Array.from(decoy, classOf)).toEqual(Array.from(text, classOf));
      expect(/^[^\s@]+@[^\s@]+$/.test(decoy)).toBe(/^[^\s@]+@[^\s@]+$/.test(text));
    }),
    { numRuns: 500 },
  );
});

const luhn = (digits: string): boolean =>
  Array.from(digits, Number)
    .reverse()
    .reduce((sum, digit, i) => sum + (i % 2 === 0 ? digit : ((digit * 2) % 10) + (digit > 4 ? 1 : 0)), 0) %
    10 ===
  0;

test.each(['4111 1111 1111 1111', '5500000000000004', '3782-822463-10005'])(
  'the decoy of card number %s passes the check of its digits and has its brand',
  (number) => {
    for (let i = 0; i < 50; i++) {
      const decoy = newDecoy(Buffer.from(number), randomBytes) ?? '';
      expect(luhn(decoy.replace(/\D/g, ''))).toBe(true);
      expect(decoy.slice(0, 2)).toBe(number.slice(0, 2));
      expect(decoy.replace(/\d/g, '0')).toBe(number.replace(/\d/g, '0'));
    }
  },
);

test('a decoy has nothing that any encoding writes otherwise', () => {
  for (let i = 0; i < 50; i++) {
    const decoy = newDecoy(Buffer.from('a&b"c\\d<e>f%g+h=i;j'), randomBytes) ?? '';
    expect(encodeURIComponent(decoy)).toBe(decoy.replaceAll('!', '!'));
    expect(JSON.stringify(decoy)).toBe(`"${decoy}"`);
  }
});
