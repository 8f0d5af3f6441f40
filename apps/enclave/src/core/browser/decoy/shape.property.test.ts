import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretOf } from '../../../../test/chromium.ts';
import { Fills, typedOf } from './fills.ts';
import { hasMeantShape, newDecoy, newUsualDecoy } from './shape.ts';

const classOf = (character: string): string =>
  [/\p{Lu}/u, /\p{Ll}/u, /\p{N}/u, /\s/u, /\p{L}/u].find((one) => one.test(character))?.source ?? 'sign';

test('the decoy of a value with a shape of its own has that, and is never the value [vault.sandbox.decoy.page-sees-decoy]', () => {
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

/** Bytes that are the same whenever they are asked for in the same order. */
function sameBytes() {
  let next = 7;
  return (length: number) =>
    Buffer.from(Array.from({ length }, () => (next = (next * 197 + 31) % 65_521) & 0xff));
}

test('what stands for any other secret says nothing of it, neither its length nor its characters [vault.sandbox.decoy.usual]', () => {
  const secret = fc.oneof(
    fc.string({ minLength: 1, maxLength: 60 }),
    fc.stringMatching(/^[a-z]{1,40}$/),
    fc.string({ minLength: 1, unit: 'grapheme' }),
  );
  const room = fc.option(fc.integer({ min: 4, max: 40 }), { nil: undefined });
  fc.assert(
    fc.property(secret, secret, room, (one, other, max) => {
      fc.pre(![one, other].some((text) => hasMeantShape(Buffer.from(text))));
      const [first, second] = [one, other].map((text) => newUsualDecoy(Buffer.from(text), sameBytes(), max));
      expect(first).toBe(second);
      expect(first).toHaveLength(Math.min(max ?? 16, 16));
      for (const kind of [/[A-Z]/, /[a-z]/, /[0-9]/, /[-_.!*]/]) expect(first).toMatch(kind);
    }),
  );
});

test('numbers, dates, cards and addresses of mail are typed as such', () => {
  for (const text of ['4938', '1990-01-31', '4111 1111 1111 1111', '+49 (30) 123', 'ada@example.org'])
    expect(hasMeantShape(Buffer.from(text))).toBe(true);
  for (const text of ['a1', 'x@y', '@b.c', 'a@b@c.d', 'a b@c.de', '--', ' '])
    expect(hasMeantShape(Buffer.from(text))).toBe(false);
});

test('a field that takes fewer characters gets a decoy that fits; a repetition of it, the same one [vault.sandbox.decoy.usual]', async () => {
  const fills = new Fills(randomBytes);
  const typed = async (room?: number, text = 'Tr0ub4dor&3 and more') =>
    typedOf((await fills.partsOf([secretOf(text)], room)) ?? []);
  const usual = await typed();
  expect([await typed(20), await typed(16), usual.length]).toEqual([usual, usual, 16]);
  const short = await typed(12);
  expect([await typed(12), short.length]).toEqual([short, 12]);
  expect(await typed(12, 'another')).not.toBe(short);
  expect([await typed(3), await fills.partsOf([secretOf('1234')], 3)]).toMatchObject(['', [{}]]);
  expect(fills.isIn(Buffer.from(`x ${short} y`))).toBe(true);
});
