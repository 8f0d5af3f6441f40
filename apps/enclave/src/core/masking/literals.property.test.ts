import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SessionMasker } from '../session/session-masker.ts';
import { Literals } from './literals.ts';
import { mask } from './masker.ts';

const shop = 'https://shop.example';

type Given = { readonly text: string; readonly isAddress?: boolean; readonly isScript?: boolean };

/** What a page shows of a secret when this was written after all guesses of the tenant were used up. */
function shown({ text, ...how }: Given, secret: string, page: string): string {
  const masker = new SessionMasker();
  masker.add(Buffer.from(secret), 'secret');
  masker.write({ texts: [text], ...how }, { guesses: 0 });
  return masker.text(page);
}

const page = (secret: string): string => `Your password: ${secret}`;

test.each<Given>([
  { text: `${shop}/?hunter2&&&&&`, isAddress: true },
  { text: `${shop}/hunter2`, isAddress: true },
  { text: `${shop}/hun/ter2`, isAddress: true },
  { text: 'hunter2!!!!!' },
  { text: 'hun!!!ter!!2' },
  { text: 'h!u!n!t!e!r!2' },
  { text: `hunter2${'&'.repeat(200)}` },
  { text: "'hunter2'////////", isScript: true },
])(
  'signs make no text long, so that the secret stays masked beyond the guesses: $text [vault.sandbox.masking.guesses]',
  (given) => {
    expect(shown(given, 'hunter2', page('hunter2'))).toBe(page(mask));
    expect(shown(given, 'Zq7-never-guessed', page('Zq7-never-guessed'))).toBe(page(mask));
  },
);

test('a path is left as it is where it stands whole, and what it is called without its slash is not', () => {
  const given = { text: `${shop}/hunter2`, isAddress: true };
  expect(shown(given, 'hunter2', 'No page /hunter2. Password hunter2')).toBe(
    `No page /hunter2. Password ${mask}`,
  );
});

test('beyond the guesses that are counted no text of letters and signs is one: nothing of under 12 bytes is left as it is [vault.sandbox.masking.guesses]', () => {
  const sign = fc.stringMatching(/^[!-/:-@[-`{-~ ]{0,6}$/);
  const made = fc
    .tuple(
      fc.stringMatching(/^[a-z]{3,7}[0-9]{1,4}$/),
      fc.array(sign, { minLength: 12, maxLength: 12 }),
      sign,
      fc.boolean(),
    )
    .map(([secret, signs, end, isDense]) => ({
      secret,
      text: `${signs[11]}${Array.from(secret, (one, i) => one + (isDense || i % 3 === 2 ? signs[i] : '')).join('')}${end}`,
    }));
  const ways: readonly ((text: string) => Given)[] = [
    (text) => ({ text }),
    (text) => ({ text, isScript: true }),
    (text) => ({ text: `${shop}/?${text}`, isAddress: true }),
    (text) => ({ text: `${shop}/${text}`, isAddress: true }),
    (text) => ({ text: `${shop}/#${text}`, isAddress: true }),
    (text) => ({ text: `${shop}/?q=${text}`, isAddress: true }),
    (text) => ({ text: encodeURIComponent(text) }),
    (text) => ({ text: Buffer.from(text).toString('base64') }),
  ];
  fc.assert(
    fc.property(made, fc.constantFrom(...ways), ({ secret, text }, way) => {
      const { text: written, ...how } = way(text);
      const literals = new Literals();
      literals.add({ texts: [written], ...how }, { guesses: 0, words: Infinity, isShown: () => false });
      expect(literals.cut(page(secret))).toBe(page(secret));
    }),
    { numRuns: 500 },
  );
});
