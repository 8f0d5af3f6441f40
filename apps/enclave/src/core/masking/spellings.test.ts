import { expect, test } from 'vitest';
import { mask, newMasker } from './masker.ts';

const masked = (secret: string, shown: string): string =>
  newMasker([Buffer.from(secret)]).text(`a: ${shown} b`);
const between = (parts: string, sign: string): string => Array.from(parts).join(sign);
/** As a mail, a page or a table reads them that takes UTF-8 for something else. */
const taken = (text: string, charset: string): string => new TextDecoder(charset).decode(Buffer.from(text));

const secret = 'correct horse "battery" it\'s_9';
/** What applications make of a text that they show again. */
const rewritten: Readonly<Record<string, (text: string) => string>> = {
  'a slug': (text) => text.replaceAll(/[^a-z0-9]+/g, '-'),
  'a slug without a sign': (text) => text.replaceAll(/[^a-z0-9]+/g, ''),
  'a name with underscores': (text) => text.replaceAll(/\W+/g, '_'),
  'a list': (text) => text.split(' ').join(', '),
  'a path': (text) => text.split(' ').join(' › '),
  'cells with lines between': (text) => text.split(' ').join(' │ '),
  CSV: (text) => `"${text.replaceAll('"', '""')}"`,
  SQL: (text) => `'${text.replaceAll("'", "''")}'`,
  'a shell': (text) => `'${text.replaceAll("'", "'\\''")}'`,
  'a shell without quotes': (text) => text.replaceAll(/\W/g, '\\$&'),
  Markdown: (text) => text.replaceAll(/[_*"']/g, '\\$&'),
  'Markdown that was rendered': (text) => text.replaceAll('_', ''),
  'quotes of print': (text) => text.replaceAll(/"(\w+)"/g, '“$1”').replaceAll("'", '’'),
  'quotes of French': (text) => text.replaceAll(/"(\w+)"/g, '« $1 »'),
  'letters of JSON': (text) => JSON.stringify(Array.from(text.replaceAll(' ', ''))),
  'letters between lines': (text) => between(text, '|'),
  'letters struck through': (text) => between(text, '\u0336'),
  'a line of a mail that is broken': (text) => `${text.slice(0, 20)}=\r\n${text.slice(20)}`,
};
test.each(Object.keys(rewritten))(
  'a secret that a site shows as %s is masked [vault.sandbox.masking.signs]',
  (how) => {
    const shown = (rewritten[how] ?? String)(secret);
    const left = masked(secret, shown).replace('a: ', '').replace(/ b$/, '');
    expect(left).toContain(mask);
    expect(left.replace(mask, '')).toMatch(/^[^\p{L}\p{N}]{0,4}$/u);
    expect(masked('another secret of words', shown)).toBe(`a: ${shown} b`);
  },
);

const spelled: Readonly<Record<string, readonly [secret: string, shown: string]>> = {
  'without accents': ['pässwörd-Élan9', 'password-elan9'],
  'with marks apart': ['pässwörd-élan9', 'pässwörd-élan9'.normalize('NFD')],
  'as UTF-8 taken for latin-1': ['pässwörd-élan9', taken('pässwörd-élan9', 'latin1')],
  'as UTF-8 taken for Windows’ charset': ['p€sswörd-élan9', taken('p€sswörd-élan9', 'windows-1252')],
  'with signs for what was lost': ['pässwörd-密élan9', 'p?ssw?rd-??lan9'],
  'with what stands for lost characters': ['pässwörd-密élan9', 'p\ufffdssw\ufffdrd-\ufffd\ufffdlan9'],
  'without what is not in ASCII': ['pässwörd-密élan9', 'psswrd-lan9'],
  'in Arabic digits': ['4821337790', '٤٨٢١٣٣٧٧٩٠'],
  'in digits of Devanagari': ['4821337790', '४८२१३३७७९०'],
  'in digits on keys': ['4821337790', between('4821337790', '\ufe0f\u20e3')],
  'in capitals of Turkish': ['istanbul-IX9', 'İSTANBUL-IX9'],
  'in small letters of Turkish': ['ISTANBUL-IX9', 'ıstanbul-ıx9'],
};
test.each(Object.entries(spelled))(
  'a secret that a site shows %s is masked, its last mark too [vault.sandbox.masking.spellings]',
  (_, [one, shown]) => {
    expect(masked(one, shown)).toBe(`a: ${mask} b`);
    expect(masked(one.replaceAll(/[9n]/g, 'x'), shown)).toBe(`a: ${shown} b`);
  },
);

test('what only resembles a secret stays', () => {
  for (const text of ['pässwörter', 'p-a-s-s', '48213377', 'correct horse', '2026-11-25 10:32'])
    expect(masked('pässwörd-élan9', text)).toBe(`a: ${text} b`);
  // Of few letters and many signs the letters alone say little.
  expect(masked('p@$$!w0', 'p w0')).toBe('a: p w0 b');
});

test('a short secret with spaces of its own is masked as it is written, and only there may spaces be [vault.sandbox.masking.encodings]', () => {
  // Six bytes are compared: white space does not count, and a vertical bracket is spelled as an ordinary one.
  for (const one of ['\'" ࠀ﹇', 'ab cd ef', 'ab 1 2 x', 'to be', 'a\tb\u00a0c d'])
    for (const shown of [one, Array.from(one).toReversed().join(''), encodeURIComponent(one)])
      expect(masked(one, shown)).toBe(`a: ${mask} b`);
  expect(masked('to be', 't obe or tob e')).toBe('a: t obe or tob e b');
  // Spaces after each letter are none by chance, whether or not the secret has some itself.
  for (const one of ['as if', 'pw 1 2', '1234 5', 'ab cd ef', 'asif'])
    for (const shown of [between(one, ' '), between(one.replaceAll(' ', ''), ' ')])
      expect(masked(one, shown)).toBe(`a: ${mask} b`);
  expect(masked('tobe', 'to be')).toBe('a: to be b');
});

test('the bytes of a secret are masked where a page lists them as numbers, beyond ASCII too [vault.sandbox.masking.encodings]', () => {
  for (const one of ['pässwörd-élan9', 'password-9', '码%&密🔑Y"&ö+'])
    for (const between of [' ', ', ', '\n'])
      expect(masked(one, [...Buffer.from(one)].join(between))).toBe(`a: ${mask} b`);
});

test('of many short secrets that are alike each is masked where it has spaces of its own [vault.sandbox.masking.encodings]', () => {
  const alike = Array.from({ length: 40 }, (_, i) => `abab ab${i < 10 ? '' : i % 10}`);
  const masker = newMasker(alike.map((one) => Buffer.from(one)));
  for (const one of alike) expect(masker.text(`a: ${one} b`)).toBe(`a: ${mask} b`);
});

test('a key that is kept as text of its bytes is masked in another text of them [vault.sandbox.masking.encodings]', () => {
  const bytes = Buffer.from('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'hex');
  const hex = bytes.toString('hex');
  const uuid = '0b6c1c3e-8f0d-4c1d-9a53-5f3a1f6f2d77';
  const ofUuid = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  for (const [kept, shown] of [
    [hex, bytes.toString('base64')],
    [hex.toUpperCase(), bytes.toString('base64url')],
    [`0x${hex}`, bytes.toString('base64')],
    [bytes.toString('base64'), hex],
    [bytes.toString('base64url'), bytes.toString('base64')],
    [uuid, ofUuid.toString('base64')],
    [uuid, ofUuid.toString('hex')],
  ] as const)
    expect([kept, masked(kept, shown).replace(/=+/, '')]).toEqual([kept, `a: ${mask} b`]);
});
