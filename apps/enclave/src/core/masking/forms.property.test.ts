import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mask, newMasker } from './masker.ts';

const utf8 = new TextEncoder();

/** In the simplest words that these encodings can be said, by other code than that which looks for them. */
const bytes = {
  utf8: (text: string) => Buffer.from(text),
  decomposed: (text: string) => Buffer.from(text.normalize('NFD')),
  latin1: (text: string) => Buffer.from(text, 'latin1'),
  utf16: (text: string) => Buffer.from(text, 'utf16le'),
  utf16be: (text: string) => Buffer.from(text, 'utf16le').swap16(),
};
const base32 = (one: Buffer): string =>
  (
    Array.from(one, (byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{1,5}/g) ?? []
  )
    .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(bits.padEnd(5, '0'), 2)))
    .join('');
const percent = (one: Buffer) => Array.from(one, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');

const written: Record<string, (text: string) => string> = {
  NFC: (text) => text.normalize('NFC'),
  NFD: (text) => text.normalize('NFD'),
  capitals: (text) => text.toUpperCase(),
  'full width': (text) => text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  'percent, latin-1': (text) => percent(bytes.latin1(text)),
  'percent, decomposed': (text) => percent(bytes.decomposed(text)),
  'hex, grouped': (text) => hex(text).match(/../g)?.join(':') ?? '',
  'hex as a list': (text) => hex(text).match(/../g)?.join(', ') ?? '',
  base32: (text) => base32(bytes.utf8(text)),
  'base32, further on': (text) => base32(Buffer.from(`:${text}`)),
  'base64 without padding': (text) => base64(text).replaceAll('=', ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of base64': (text) => base64(base64(text)),
  'base64 of base64 of more': (text) => base64(base64(`a:${text}`)),
  'base64 of base64url': (text) => base64(Buffer.from(text).toString('base64url')),
  'base64 of hex': (text) => base64(hex(text)),
  'base64 of HEX': (text) => base64(hex(text).toUpperCase()),
  'hex of base64': (text) => hex(base64(text)),
  'hex of hex': (text) => hex(hex(text)),
  'base64 of a URL': (text) => base64(encodeURIComponent(text)),
  'hex of a URL': (text) => hex(encodeURIComponent(text)),
  'URL of base64': (text) => encodeURIComponent(base64(text)),
  'URL of base64 of a URL': (text) => encodeURIComponent(base64(encodeURIComponent(text))),
  'hex, reversed': (text) => Array.from(hex(text)).reverse().join(''),
  'base64, reversed': (text) => Array.from(base64(text)).reverse().join(''),
};
for (const [name, of] of Object.entries(bytes)) {
  written[`base64 of ${name}`] = (text) => of(text).toString('base64');
  written[`hex of ${name}`] = (text) => of(text).toString('hex');
}

const letter = fc.constantFrom(...'abcxyzABCXYZ0123456789!$=?éüßñØ&<"%+'.split(''));
const secret = fc
  .array(letter, { minLength: 8, maxLength: 24 })
  .map((letters) => `k${letters.join('')}k`.normalize('NFC'));
const around = fc.string({ unit: fc.constantFrom(...'lorem ipsum [{ }] \n;'.split('')), maxLength: 40 });

test('every form of a secret is found in any text, and the text around it stays [vault.sandbox.masking.more-forms]', () => {
  fc.assert(
    fc.property(
      secret,
      around,
      around,
      fc.constantFrom(...Object.keys(written)),
      (text, before, after, how) => {
        const shown = (written[how] ?? String)(text);
        const masked = newMasker([utf8.encode(text)]).text(`${before} [${shown}] ${after}`);
        expect(masked.startsWith(`${before} [`) && masked.endsWith(`] ${after}`)).toBe(true);
        const rest = masked.slice(before.length + 2, masked.length - after.length - 2);
        // Signs of the outermost encoding that hold the end of an inner one, or nothing but padding.
        expect(rest).toContain(mask);
        expect(rest.replace(mask, '').length).toBeLessThanOrEqual(10);
      },
    ),
    { numRuns: 600 },
  );
});

test('a number is found in any grouping of its digits [vault.sandbox.masking.grouped]', () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{6,24}$/);
  const sign = fc.constantFrom('', '', ' ', '-', '.', '/', ', ', ' - ', '\u00a0', '\u2013', '\u202f', ') ');
  fc.assert(
    fc.property(
      digits,
      fc.array(sign, { minLength: 25, maxLength: 25 }),
      fc.boolean(),
      (number, signs, isIban) => {
        const text = isIban ? `DE${number}` : number;
        const shown = Array.from(text, (c, i) => (i === 0 ? c : `${signs[i] ?? ''}${c}`)).join('');
        expect(newMasker([utf8.encode(text)]).text(`a: ${shown} b`)).toBe(`a: ${mask} b`);
        expect(newMasker([utf8.encode(shown)]).text(`a: ${text} b`)).toBe(`a: ${mask} b`);
      },
    ),
    { numRuns: 300 },
  );
});

test('a text that holds none of many secrets comes back identical', () => {
  const many = newMasker(
    Array.from({ length: 40 }, (_, i) => utf8.encode(`Qz-${(i * 7919 + 104729).toString(36)}-é${i}-Qz`)),
  );
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      expect(many.nodes(texts)).toEqual(texts);
      expect(many.text(texts.join(' '))).toBe(texts.join(' '));
    }),
    { numRuns: 300 },
  );
});
