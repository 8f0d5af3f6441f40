import { expect, test } from 'vitest';
import { mask, newMasker } from './masker.ts';

const maskerOf = (secret: string) => newMasker([Buffer.from(secret)]);
const key = 'sk_live_ZTjZSCUKcLTK9Wz9WuyRK5n8';
const each = (write: (byte: number) => string, between: string): string =>
  Array.from(Buffer.from(key), write).join(between);
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

test.each<[how: string, text: string]>([
  ['bytes of C', each((byte) => `0x${hex(byte)}`, ', ')],
  ['octal escapes', each((byte) => `\\${byte.toString(8)}`, '')],
  ['octal numbers', each((byte) => byte.toString(8).padStart(3, '0'), ' ')],
  ['bits', each((byte) => byte.toString(2).padStart(8, '0'), ' ')],
  ['code points', each((byte) => `U+00${hex(byte).toUpperCase()}`, ' ')],
  ['calls of SQL', each((byte) => `CHR(${byte})`, '||')],
  ['calls of BASIC', each((byte) => `Chr(${byte})`, ' & ')],
  ['a header of mail', `=?utf-8?Q?${key.replaceAll('_', '=5F')}?=`],
  ['a name of CSS', key.replaceAll('_', '\\5f ')],
  [
    'letters in circles',
    Array.from(key.toUpperCase(), (one) =>
      /[A-Z]/.test(one) ? String.fromCodePoint(0x1f150 + one.charCodeAt(0) - 65) : one,
    ).join(''),
  ],
  [
    'letters in squares',
    Array.from(key.toUpperCase(), (one) =>
      /[A-Z]/.test(one) ? String.fromCodePoint(0x1f170 + one.charCodeAt(0) - 65) : one,
    ).join(''),
  ],
  [
    'letters of flags',
    Array.from(key.toUpperCase(), (one) =>
      /[A-Z]/.test(one) ? String.fromCodePoint(0x1f1e6 + one.charCodeAt(0) - 65) : one,
    ).join(''),
  ],
  ['small capitals', key.replaceAll('l', '\u029f').replaceAll('i', '\u026a').replaceAll('e', '\u1d07')],
])('a secret is masked that is written out as %s [vault.sandbox.masking.written-out]', (_, text) => {
  expect(text).not.toContain(key);
  const out = maskerOf(key).text(`It is ${text}, they say.`);
  expect(out).toContain(mask);
  expect(out.replaceAll(mask, '').length).toBeLessThan(40);
});

const inner = '4WQO8ciGBDU97iqeT6Sk62z6';
test.each<[how: string, secret: string]>([
  ['a header', `Bearer ${inner}`],
  ['a header with its name', `Authorization: token ${inner}`],
  ['a log-in of HTTP', `Basic ${Buffer.from(`ada:${inner}`).toString('base64')}`],
  ['a variable', `API_KEY=${inner}`],
  ['a variable of a shell', `export API_KEY="${inner}"`],
  [
    'a file of JSON',
    JSON.stringify({ client_id: 'abc', client_secret: inner, token_uri: 'https://oauth2.example.com/token' }),
  ],
  ['an address', `postgres://app:${inner}@db1.example.com:5432/app`],
  ['a text in quotes', `'${inner}'`],
])(
  'of a secret that was kept as %s a site shows the inner part alone, which is masked [vault.sandbox.masking.within]',
  (_, secret) => {
    const masker = maskerOf(secret);
    for (const text of [
      inner,
      encodeURIComponent(inner),
      Buffer.from(inner).toString('hex'),
      Array.from(inner).join('-'),
    ])
      expect(masker.text(`Key: ${text}.`)).toBe(`Key: ${mask}.`);
    const harmless =
      'Client abc of https://oauth2.example.com/token at db1.example.com:5432/app, Bearer, API_KEY, token, export';
    expect(masker.text(harmless)).toBe(harmless);
  },
);

const words = 'ocean river planet marble candle ladder forest silver window garden rocket butter'.split(' ');
test('a phrase is masked whose words are numbered [vault.sandbox.masking.written-out]', () => {
  const masker = maskerOf(words.join(' '));
  for (const [first, digits] of [
    [1, 1],
    [0, 1],
    [1, 2],
  ] as const) {
    const numberOf = (i: number): string => String(first + i).padStart(digits, '0');
    for (const text of [
      words.map((word, i) => `${numberOf(i)}. ${word}`).join(' '),
      words.map((word, i) => `${numberOf(i)}) ${word}`).join('\n'),
      words.map((word, i) => `#${numberOf(i)}: ${word}`).join(', '),
    ])
      for (const word of words) expect(masker.text(text)).not.toContain(word);
    const cells = words.flatMap((word, i) => [numberOf(i), word]);
    for (const word of words) expect(masker.nodes(cells)).not.toContain(word);
  }
  expect(masker.text('1. a river, 2. an ocean')).toBe('1. a river, 2. an ocean');
});
