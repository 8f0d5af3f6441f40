import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mask, newMasker } from './masker.ts';

const utf8 = new TextEncoder();

/** Ends in a letter outside each encoding's tokens, so that the neighbours in a test make nothing of it. */
const secret = fc
  .oneof(fc.stringMatching(/^[!-~]{6,40}$/), fc.string({ minLength: 6, maxLength: 30, unit: 'grapheme' }))
  .map((text) => text.trim())
  .filter(
    (text) =>
      text.isWellFormed() && utf8.encode(text.replaceAll(/[\s\p{Cf}\p{Mn}\p{Zs}\p{Cc}]/gu, '')).length >= 8,
  );

const entities = (text: string) => Array.from(text, (c) => `&#${c.codePointAt(0) ?? 0};`).join('');
const hexEntities = (text: string) =>
  Array.from(text, (c) => `&#x${(c.codePointAt(0) ?? 0).toString(16)};`).join('');
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const unicode = (text: string) =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

/** Encodings of the surrounding document: these nest. */
const outer: Record<string, (text: string) => string> = {
  none: (text) => text,
  url: encodeURIComponent,
  html,
  entities,
  hexEntities,
  json,
  unicode,
};
/** What a page or script makes of the secret itself. */
const inner: Record<string, (text: string) => string> = {
  plain: (text) => text,
  url: encodeURIComponent,
  hex: (text) => Buffer.from(text).toString('hex'),
  reversed: (text) => Array.from(text).reverse().join(''),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64of1: (text) => Buffer.from(`x${text}yz`).toString('base64'),
  base64of2: (text) => Buffer.from(`xy${text}z`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  base64ofUrl: (text) => Buffer.from(encodeURIComponent(text)).toString('base64'),
  hidden: (text) => Array.from(text).join('\u200b'),
};

test('whatever the secret and its encoding, nothing of it remains [vault.sandbox.masking.encodings]', () => {
  const of = (forms: Record<string, unknown>) => fc.constantFrom(...Object.keys(forms));
  fc.assert(
    fc.property(secret, of(inner), of(outer), of(outer), (text, form, first, second) => {
      const around = (done: string) =>
        [first, second].reduce((once, name) => (outer[name] ?? String)(once), done);
      const written = around((inner[form] ?? String)(text));
      const masked = newMasker([utf8.encode(text)]).text(`<p>${written}</p>`);
      // Signs of base64 that only the neighbours are in.
      const most = around('======').length;
      expect(masked).toMatch(new RegExp(`^<p>.{0,${most}}${mask}.{0,${most}}</p>$`, 'u'));
    }),
    // Marks of a last letter, which come first backwards.
    { numRuns: 1500, examples: [["'     \u{1d158}\u{1d165}\u{1d16e}", 'reversed', 'none', 'url']] },
  );
}, 120_000);

test('a text that was masked holds the secret no longer in any reading, and masking again changes nothing', () => {
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.array(fc.string()), (secrets, parts) => {
      const masker = newMasker(secrets.map((one) => utf8.encode(one)));
      const masked = masker.text(
        parts.flatMap((part, i) => [part, secrets[i % secrets.length] ?? '']).join(''),
      );
      for (const one of secrets) expect(masked.toLowerCase()).not.toContain(one.toLowerCase());
      expect(masker.text(masked)).toBe(masked);
    }),
    { numRuns: 300 },
  );
});

test('a text without the secret is unchanged', () => {
  const ordinary = fc.string({ unit: fc.constantFrom(...'abcdefgh%&\\;#x2025 \n'.split('')) });
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{3}[k-z]{5,20}$/), ordinary, (text, page) => {
      const masker = newMasker([utf8.encode(text)]);
      expect(masker.text(page)).toBe(page);
      expect(masker.json({ page: [page, 7, null, true] })).toEqual({ page: [page, 7, null, true] });
    }),
    { numRuns: 500 },
  );
});

test('a secret cut into neighbours or chunks anywhere is found', () => {
  const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 4 });
  fc.assert(
    fc.property(secret, cuts, fc.constantFrom(...Object.keys(outer)), (text, places, form) => {
      const masker = newMasker([utf8.encode(text)]);
      const written = `<p>${(outer[form] ?? String)(text)}</p>`;
      const at = [0, ...places.toSorted((a, b) => a - b), Infinity];
      const letters = Array.from(written);
      const chunks = at.slice(0, -1).map((from, i) => letters.slice(from, at[i + 1]).join(''));
      const stream = masker.stream();
      expect(chunks.map(stream.write).join('') + stream.end()).toBe(masker.text(written));
      const nodes = masker.nodes(form === 'none' ? chunks : [written]).join('');
      expect(nodes.replaceAll(mask, '').length).toBeLessThan(written.length);
      expect(nodes).not.toContain(text);
    }),
    { numRuns: 500 },
  );
});
