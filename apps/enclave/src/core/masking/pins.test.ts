import { expect, test } from 'vitest';
import { mask, newMasker } from './masker.ts';

const maskerOf = (pin: string) => newMasker([Buffer.from(pin)]);

/** How sites show a code, and numbers that they format. */
const shown: readonly (readonly [pin: string, text: string])[] = [
  ['482133', '482 133'],
  ['482133', '48 21 33'],
  ['482133', '482-133'],
  ['482133', '48-21-33'],
  ['482133', '482\u2013133'],
  ['482133', '482 \u00b7 133'],
  ['482133', '482\u00a0133'],
  ['482133', '482\u202f133'],
  ['482133', '482,133'],
  ['482133', '482.133'],
  ['482133', '482\u2019133'],
  ['482133', '482\n133'],
  ['482133', '482\u200b133'],
  ['482133', '4 8 2 1 3 3'],
  ['482133', '4-8-2-1-3-3'],
  ['482133', '4, 8, 2, 1, 3, 3'],
  ['482133', '4\u200b8\u200b2\u200b1\u200b3\u200b3'],
  ['482133', '4\ufe0f\u20e38\ufe0f\u20e32\ufe0f\u20e31\ufe0f\u20e33\ufe0f\u20e33\ufe0f\u20e3'],
  ['482133', '\u2463\u2467\u2461\u2460\u2462\u2462'],
  ['482133', '\u2074\u2078\u00b2\u00b9\u00b3\u00b3'],
  ['482133', '\u0664\u0668\u0662 \u0661\u0663\u0663'],
  ['4821', '48 21'],
  ['4821', '4,821'],
  ['4821', '4.821'],
  ['4821', '4 821'],
  ['4821', '4 8 2 1'],
  ['48213', '48,213'],
  ['48213', '48 213'],
];

test.each(shown)(
  'of a secret that is a number, %s is masked as %s, and so is any other number written so [vault.sandbox.masking.pins] [vault.sandbox.masking.pins-grouped]',
  (pin, text) => {
    const other = pin.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
    for (const masker of [maskerOf(pin), maskerOf(other)]) {
      expect(masker.text(`Your code: ${text}.`)).toBe(`Your code: ${mask}.`);
      expect(masker.text(text)).toBe(mask);
      expect(masker.text(`${text}, for 5 minutes`)).toBe(`${mask}, for 5 minutes`);
      const stream = masker.stream();
      const long = `${'a '.repeat(100)}${text}${' b'.repeat(100)}`;
      expect(Array.from(long, (sign) => stream.write(sign)).join('') + stream.end()).toBe(
        `${'a '.repeat(100)}${mask}${' b'.repeat(100)}`,
      );
    }
  },
);

test.each([
  ['您的密码是482133，请勿泄露', `您的密码是${mask}，请勿泄露`],
  ['코드 482133입니다', `코드 ${mask}입니다`],
  ['รหัส482133ครับ', `รหัส${mask}ครับ`],
  ['رمزك482133و', `رمزك${mask}و`],
])(
  'a number stands by itself where a script has no spaces: %s [vault.sandbox.masking.pins]',
  (text, masked) => {
    expect(maskerOf('482133').text(text)).toBe(masked);
  },
);

test('a code whose groups stand in nodes of their own is masked [vault.sandbox.masking.pins-grouped]', () => {
  const masker = maskerOf('482133');
  expect(masker.nodes(['Code', '482', '133', 'Copy'])).toEqual(['Code', mask, mask, 'Copy']);
  expect(masker.nodes(['Code', '482', ' ', '\u2013', '133', 'Copy'])).toEqual([
    'Code',
    mask,
    ' ',
    '\u2013',
    mask,
    'Copy',
  ]);
  expect(masker.nodes(['48', '21', '33'])).toEqual([mask, mask, mask]);
});

/** What is no number of so many digits, or so many in another way. */
const harmless: readonly (readonly [pin: string, text: string])[] = [
  ['4821', '12.50'],
  ['4821', '€ 12,50 and 7,50'],
  ['4821', '12:30'],
  ['4821', '10-20 of 95'],
  ['4821', '10 \u2013 20 of 95'],
  ['4821', '24.12.'],
  ['4821', '10 20 30 40'],
  ['4821', '1 2 3 4 5 6 7 8 9'],
  ['4821', '+49 30 901820-12'],
  ['4821', '482 133'],
  ['4821', 'x4821 4821y 48213y A48 21'],
  ['482133', '1,250.00'],
  ['482133', '2026-11-25'],
  ['482133', '25.11.26'],
  ['482133', '10:20:30'],
  ['482133', '1.2.3'],
  ['482133', '192.168.100.200'],
  ['482133', '482 133 904'],
  ['482133', '100, 200, 300'],
  ['482133', '12,345,678'],
];

test.each(harmless)('beside the secret %s, %s stays [vault.sandbox.masking.pins]', (pin, text) => {
  expect(maskerOf(pin).text(text)).toBe(text);
});

test('cells of a table stay [vault.sandbox.masking.pins]', () => {
  for (const cells of [
    ['Pens', '12', '€', '50'],
    ['100', '200', '300'],
    ['10', '11', '12', '13', '14'],
    ['12', ':', '30'],
  ])
    for (const pin of ['4821', '482133']) expect(maskerOf(pin).nodes(cells)).toEqual(cells);
});

test('numbers are found in time that grows with the text alone [vault.sandbox.masking.linear]', () => {
  const masker = maskerOf('482133');
  const took = (text: string): number => {
    const begun = performance.now();
    masker.text(text);
    return performance.now() - begun;
  };
  took('1 '.repeat(1000));
  for (const piece of ['\u200b', '1\u200b', '1 ', '482 ', '1\u200b\u200b\u200b', '4-', '4\u200bx'])
    expect(took(piece.repeat(200_000))).toBeLessThan(4000);
});

test('numbers with words between them are no groups of one, however far apart they stand [vault.sandbox.masking.pins-grouped]', () => {
  const row = `120${' '.repeat(9)}Widgets${' '.repeat(6)}450`;
  expect(maskerOf('482133').text(row)).toBe(row);
  expect(maskerOf('482133').text(`482\n${' '.repeat(12)}133`)).toBe(mask);
});

test.each([[['10', '25', '50', '100']], [['5', '10', '25', '50']], [['10', ' ', '25', '50', '1000']]])(
  'sizes of a page are no code: %j [vault.sandbox.masking.pins-grouped]',
  (sizes) => {
    const masker = maskerOf('482133');
    expect(masker.nodes(['Show', ...sizes, 'entries'])).toEqual(['Show', ...sizes, 'entries']);
    expect(masker.nodes(['100', 'Code', '48', '21', '33', 'Resend in', '30'])).toEqual([
      '100',
      'Code',
      mask,
      mask,
      mask,
      'Resend in',
      '30',
    ]);
  },
);

/** Codes in cells of two digits, beside another number of the same page. */
const besideCodes: readonly (readonly [pin: string, cells: readonly string[], code: readonly string[]])[] = [
  ['4821', ['48', '21', '7'], ['48', '21']],
  ['4821', ['7', '48', '21'], ['48', '21']],
  ['2148', ['21', '48', '100'], ['21', '48']],
  ['5025', ['50', '25', '100'], ['50', '25']],
  ['2550', ['25', '50', '3'], ['25', '50']],
  ['2550', ['3', '25', '50', '100'], ['25', '50']],
  ['0510', ['05', '10', '100'], ['05', '10']],
  ['482133', ['48', '21', '33', '120'], ['48', '21', '33']],
  ['482133', ['1', '48', ' ', '21', '33'], ['48', '21', '33']],
  ['152535', ['15', '25', '35', '007'], ['15', '25', '35']],
];

test.each(besideCodes)(
  'of a page with the code %s, cells %j hide %j: another number beside it is no list [vault.sandbox.masking.pins-beside]',
  (pin, cells, code) => {
    const masked = cells.map((cell) => (code.includes(cell) ? mask : cell));
    // Whichever it is.
    for (const secret of [pin, Array.from(pin).reverse().join('')])
      expect(maskerOf(secret).nodes(['Code', ...cells, 'Copy'])).toEqual(['Code', ...masked, 'Copy']);
  },
);

test.each([
  [['25', '50', '100']],
  [['5', '10', '25']],
  [['5', '10', '20', '100', '200']],
  [['8', '9', '10', '11']],
  [['98', '99', '100']],
])(
  'sizes and numbers of pages are no code of four digits: %j [vault.sandbox.masking.pins-beside]',
  (sizes) => {
    expect(maskerOf('4821').nodes(['Show', ...sizes, 'entries'])).toEqual(['Show', ...sizes, 'entries']);
  },
);
