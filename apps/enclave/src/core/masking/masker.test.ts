import { expect, test } from 'vitest';
import { mask, newMasker } from './masker.ts';

const utf8 = new TextEncoder();
const secret = 'Tr0ub4dor&3 "x"';
const masker = newMasker([utf8.encode(secret)]);
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

test.each([
  ['plain', secret],
  ['in capitals', secret.toUpperCase()],
  ['in a URL', encodeURIComponent(secret)],
  ['in a query', new URLSearchParams({ p: secret }).toString().slice(2)],
  ['in a URL in a URL', encodeURIComponent(encodeURIComponent(secret))],
  ['in HTML', 'Tr0ub4dor&amp;3 &quot;x&quot;'],
  ['as numbers of HTML', Array.from(secret, (c) => `&#${c.charCodeAt(0)};`).join('')],
  ['as hex numbers of HTML', Array.from(secret, (c) => `&#x${c.charCodeAt(0).toString(16)}`).join('')],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  [
    'as \\u escapes',
    Array.from(secret, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['as \\x escapes', Array.from(secret, (c) => `\\x${c.charCodeAt(0).toString(16)}`).join('')],
  ['in base64', base64(secret)],
  ['in base64, one further', base64(`a${secret}b`)],
  ['in base64, two further', base64(`ab${secret}cd`)],
  ['in base64url', Buffer.from(`>>${secret}`).toString('base64url')],
  ['in base64 of a URL', base64(encodeURIComponent(secret))],
  ['in base64 of JSON', base64(JSON.stringify({ password: secret }))],
  ['in hex', Buffer.from(secret).toString('hex')],
  ['in hex with colons', Buffer.from(secret).toString('hex').toUpperCase().match(/../g)?.join(':') ?? ''],
  ['as character codes', Array.from(secret, (c) => c.charCodeAt(0)).join(', ')],
  ['reversed', secret.split('').reverse().join('')],
  ['reversed in base64', base64(secret.split('').reverse().join(''))],
  ['letter by letter', secret.split('').join(' ')],
  ['with characters nobody sees', secret.split('').join('\u200b')],
  ['over lines', secret.split('').join('\n\t')],
])('a secret is masked %s', (_, written) => {
  expect(masker.text(`before-${written}`)).toContain(mask);
  for (const part of [written, written.slice(2, -2)])
    expect(masker.text(`before-${written} ~ after`)).not.toContain(part);
  expect(masker.text(`before ! ${written} ! after`)).toMatch(/^before !.*! after$/);
});

test('a secret split over neighbours is masked in each of them', () => {
  expect(masker.nodes(['a', 'Tr0ub', '4dor&3', ' "x"', 'b'])).toEqual(['a', mask, mask, mask, 'b']);
  expect(newMasker([utf8.encode('admin')]).nodes(['adm', 'in', 'x'])).toEqual([mask, mask, 'x']);
});

test('values, keys and numbers of JSON are masked, wherever they stand', () => {
  const pin = newMasker([utf8.encode('49381726'), utf8.encode(secret)]);
  expect(
    pin.json({
      a: [{ b: `x${secret}` }, 49381726, 5],
      [secret]: 1,
      [`${secret}!`]: true,
      c: null,
      d: ['493', '81726'],
    }),
  ).toEqual({ a: [{ b: `x${mask}` }, mask, 5], [mask]: 1, [`${mask}!`]: true, c: null, d: [mask, mask] });
  expect(masker.json(Array.from(secret))).toEqual(Array.from(secret, () => mask));
  expect(JSON.stringify(masker.json(Array.from(secret, (c) => c.charCodeAt(0))))).not.toMatch(/\d/);
  expect(masker.json({ first: 'Tr0ub4d', second: 'or&3 "x"' })).toEqual({ first: mask, second: mask });
});

test('a text without the secret is answered as it is, lone surrogates too', () => {
  for (const text of ['', 'Tr0ub4dor', '100 % & more \\ \ud800 &amp; %41', 'as if', '&toString; &valueOf'])
    expect(newMasker([utf8.encode(secret), utf8.encode('asif')]).text(text)).toBe(text);
});

test('a secret of less than four bytes is told as unmaskable and left as it is [vault.sandbox.masking.short]', () => {
  const some = newMasker([utf8.encode('abc'), utf8.encode(secret), utf8.encode(' a b c ')]);
  expect(some.unmaskable).toEqual([0, 2]);
  expect(some.text(`abc ${secret}`)).toBe(`abc ${mask}`);
});

test('one line of a key is masked like the whole key', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const key = newMasker([
    utf8.encode(`-----BEGIN PRIVATE KEY-----\n${line}\n${line.toLowerCase()}q\n-----END PRIVATE KEY-----`),
  ]);
  expect(key.text(`see ${line} there`)).toBe(`see ${mask} there`);
});

test('a stream masks over the borders of its chunks, and lets the rest pass before its end [vault.sandbox.masking.streams]', () => {
  const text = `${'x'.repeat(3000)}${encodeURIComponent(secret)}${'y'.repeat(3000)}`;
  for (const size of [1, 7, 1000]) {
    const stream = masker.stream();
    let out = '';
    for (let i = 0; i < text.length; i += size) out += stream.write(text.slice(i, i + size));
    expect(out.length).toBeGreaterThan(3000);
    expect(out + stream.end()).toBe(`${'x'.repeat(3000)}${mask}${'y'.repeat(3000)}`);
  }
});

test('a hundred kilobytes without any of twenty secrets come back as they were', () => {
  const secrets = Array.from({ length: 20 }, (_, i) => utf8.encode(`s3cret-number-${i}-${i * 7919}`));
  const many = newMasker(secrets);
  const page = `<p class="a">Order 12 &amp; more</p>\n{"path":"\\/a%20b"} `.repeat(2000);
  expect(many.text(page)).toBe(page);
});
