import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SessionMasker } from '../session/session-masker.ts';
import { mask } from './masker.ts';

/** A session's masker that knows a secret, after the agent has written these. */
function maskerOf(secret: string, ...texts: readonly string[]): SessionMasker {
  const masker = new SessionMasker();
  masker.add(Buffer.from(secret), 'secret');
  for (const text of texts) masker.write({ texts: [text] });
  return masker;
}

/** So many words that a session's guesses are used up. */
const first = Array.from({ length: 64 }, (_, i) => `fr${(i + 40).toString(36)}st${i}q`).join(' ');

/** What sites make of a word that they show apart. */
const rewrites: Record<string, (word: string) => string> = {
  'as it is': (word) => word,
  'in capitals': (word) => word.toUpperCase(),
  reversed: (word) => Array.from(word).reverse().join(''),
  'in base64': (word) => Buffer.from(word).toString('base64'),
  'in the midst of base64': (word) => Buffer.from(`x:${word}`).toString('base64'),
  'in hex': (word) => Buffer.from(word).toString('hex'),
  'in a URL': (word) => encodeURIComponent(word),
  'with other signs': (word) => word.replaceAll(/[_ ]/g, '-'),
  'without signs': (word) => word.replaceAll(/[_ -]/g, ''),
  'with other spaces': (word) => word.replaceAll(' ', '\n  '),
};
const pages: Record<string, (words: readonly string[]) => readonly string[]> = {
  'a node each': (words) => words,
  'a node each, with others between': (words) => words.flatMap((word) => [word, '×']),
  'a line each': (words) => [words.join('\n')],
  'a tag each': (words) => [words.map((word) => `<li title="${word}">${word}</li>`).join('')],
  'the other way round': (words) => [words.toReversed().join(' / ')],
};

const dashes = ['\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\u00ad'];
/** How a list is written of which a site takes the items out: their quotes and numbers are none of them. */
const lists: Record<string, (words: readonly string[]) => string> = {
  CSV: (all) => all.map((one) => `"${one.replaceAll('"', '""')}"`).join(','),
  'CSV with semicolons': (all) => all.map((one) => `"${one.replaceAll('"', '""')}"`).join(';'),
  SQL: (all) => `in (${all.map((one) => `'${one.replaceAll("'", "''")}'`).join(', ')})`,
  'a shell': (all) => all.map((one) => `'${one.replaceAll("'", "'\\''")}'`).join(' '),
  'a shell, with other quotes': (all) => all.map((one) => `"${one.replaceAll('"', '\\"')}"`).join(' '),
  JSON: (all) => JSON.stringify(all),
  'JSON with names': (all) => JSON.stringify(Object.fromEntries(all.map((one, i) => [`pw${i}`, one]))),
  JavaScript: (all) => `[${all.map((one) => `'${one.replaceAll("'", "\\'")}'`).join()}]`,
  Markdown: (all) => all.map((one) => `- \`${one}\`\n`).join(''),
  'quotes of print': (all) =>
    all.map((one, i) => [`\u201c${one}\u201d`, `\u00ab${one}\u00bb`, `\u201e${one}\u201c`][i % 3]).join(' '),
  brackets: (all) => all.map((one, i) => [`(${one})`, `[${one}]`, `<${one}>`, `{${one}}`][i % 4]).join(' '),
  numbers: (all) => all.map((one, i) => `${i + 1}.${one}`).join(' '),
  'numbers and spaces': (all) => all.map((one, i) => `${i + 1}. ${one}`).join(' '),
  'numbers in brackets': (all) => all.map((one, i) => `(${i + 1})${one}`).join(', '),
  'numbers after signs': (all) => all.map((one, i) => `#${i + 1}: ${one}`).join(' '),
  'numbers before hyphens': (all) => all.map((one, i) => `${i + 1} - ${one}`).join('; '),
  names: (all) => all.map((one, i) => `pw${i}=${one}`).join(' '),
  'names of a query': (all) => all.map((one, i) => `pw${i}=${one}`).join('&'),
  'names and colons': (all) => all.map((one, i) => `password ${i}: ${one}`).join('\n'),
  arrows: (all) => all.map((one, i) => `k${i} => ${one}`).join(', '),
  letters: (all) => all.map((one, i) => `${String.fromCharCode(97 + (i % 26))}) ${one}`).join(' '),
};
/** Of several parts, with signs that a quoted one may have between them. */
const quotable = fc
  .tuple(
    fc.stringMatching(/^[a-zA-Z]{2,7}$/),
    fc.constantFrom('', '_', '-', '\u2013', '.', ' ', '"', "'", "''", ',', ';', '|', ', '),
    fc.stringMatching(/^[a-z]{1,5}[0-9]{1,3}[!.]?$/),
  )
  .map((parts) => parts.join(''))
  .filter((word) => word.length >= 5);
/** What no site could take out of such a list whole. */
const isLost = (list: string, word: string): boolean =>
  /^(numbers|names|letters|arrows)/.test(list) && /[,;|]/.test(word);

/** As people choose them, in one or several parts. */
const candidate = fc
  .tuple(
    fc.stringMatching(/^[a-zA-Z]{2,7}$/),
    fc.constantFrom('', '', '_', '-', '.', ' '),
    fc.stringMatching(/^[a-z]{1,5}[0-9]{1,3}[!.]?$/),
  )
  .map((parts) => parts.join(''))
  .filter((word) => word.length >= 5);
const list = fc.record({
  all: fc.uniqueArray(candidate, { minLength: 2, maxLength: 6, selector: (word) => word.toLowerCase() }),
  between: fc.constantFrom(', ', ',', '; ', '\n', '|', '\t'),
  which: fc.nat(),
  page: fc.constantFrom(...Object.keys(pages)),
  how: fc.constantFrom(...Object.keys(rewrites)),
});

function outputsOf(masker: SessionMasker, page: readonly string[]): unknown {
  return [masker.text(page.join(' ; ')), masker.nodes(page), masker.once(page), masker.json({ page })];
}

test('words of a text that the site shows apart are alike, whichever of them is the secret [vault.sandbox.masking.guesses]', () => {
  let told = 0;
  fc.assert(
    fc.property(list, ({ all, between, which, page, how }) => {
      const shown = (pages[page] ?? ((words) => words))(all.map(rewrites[how] ?? String));
      const secrets = [all[which % all.length] ?? '', 'Zq7-never-guessed'];
      const [right, wrong] = secrets.map((secret) =>
        outputsOf(maskerOf(secret, first, `, ${all.join(between)}, and more`), shown),
      );
      expect(right).toEqual(wrong);
      const [known, unknown] = secrets.map((secret) => outputsOf(maskerOf(secret), shown));
      if (JSON.stringify(known) !== JSON.stringify(unknown)) told++;
    }),
    { numRuns: 60 },
  );
  // Without what was written the same pages would tell.
  expect(told).toBeGreaterThan(30);
}, 60_000);

test('nor do words of a list that the site takes out of quotes, numbers and names, with whatever dashes it shows them [vault.sandbox.masking.guesses]', () => {
  const said = fc.record({
    all: fc.uniqueArray(quotable, { minLength: 2, maxLength: 6, selector: (word) => word.toLowerCase() }),
    list: fc.constantFrom(...Object.keys(lists)),
    which: fc.nat(),
    page: fc.constantFrom(...Object.keys(pages)),
    how: fc.constantFrom(...Object.keys(rewrites)),
    dash: fc.constantFrom('-', '', ...dashes),
  });
  let told = 0;
  fc.assert(
    fc.property(said, ({ all, list, which, page, how, dash }) => {
      const own = all.filter((word) => !isLost(list, word));
      fc.pre(own.length > 1);
      const items = own.map((word) => (rewrites[how] ?? String)(word.replaceAll(/\p{Pd}/gu, dash)));
      const shown = (pages[page] ?? ((words) => words))(items);
      const secrets = [own[which % own.length] ?? '', 'Zq7-never-guessed'];
      const [right, wrong] = secrets.map((secret) =>
        outputsOf(maskerOf(secret, first, (lists[list] ?? String)(own)), shown),
      );
      expect(right).toEqual(wrong);
      const [known, unknown] = secrets.map((secret) => outputsOf(maskerOf(secret), shown));
      if (JSON.stringify(known) !== JSON.stringify(unknown)) told++;
    }),
    { numRuns: 120 },
  );
  expect(told).toBeGreaterThan(40);
}, 120_000);

test.each(Object.keys(lists))(
  'a list of 4,800 candidates in %s is more than is compared [vault.sandbox.masking.guesses]',
  (list) => {
    // Made of few words, so that it is their combinations that count.
    const parts = Array.from({ length: 70 }, (_, i) => `w${(i + 40).toString(36)}z`);
    const all = Array.from({ length: 4800 }, (_, i) => `${parts[i % 70]} ${parts[Math.floor(i / 70)]}`);
    expect(maskerOf('swordfish').write({ texts: [(lists[list] ?? String)(all)] })).toMatchObject({
      isFull: true,
    });
  },
);

test('the whole text stays as the agent wrote it, also with words that are masked apart', () => {
  const text = 'hunter2, swordfish, tr0ub4dor';
  const masker = maskerOf('swordfish', first, text);
  expect(masker.text(`Tags: ${text}; swordfish; tr0ub4dor`)).toBe(`Tags: ${text}; ${mask}; ${mask}`);
});

test('of the words of texts, 64 are compared in a session, with those of short texts; written in another case each is another', () => {
  const words = Array.from({ length: 65 }, (_, i) => `w${i}ord`);
  const page = (last: string) => `${words[0]}. ${words[63]}. ${last}.`;
  expect(maskerOf('secret-1', words.join(' ')).text(page('w64ord'))).toBe(page(mask));
  expect(maskerOf('secret-1', ...words.slice(0, 64)).text(page('w64ord'))).toBe(page('w64ord'));
  const masker = maskerOf('secret-1', first, 'HUNTER2, of old');
  expect(masker.text(Buffer.from('HUNTER2').toString('base64'))).toBe(`${mask}==`);
});

test('signs between the letters make no guess longer, nor does a slash before it', () => {
  for (const text of ['s-w-o-r-d-f-i-s-h', 's%77ordfish', '/swordfish']) {
    const [right, wrong] = ['swordfish', 'Zq7-never-guessed'].map((secret) => maskerOf(secret, first, text));
    for (const page of ['It is swordfish, mistletoe', text])
      expect(wrong?.text(page)).toBe(right?.text(page));
    expect(right?.text('It is swordfish, mistletoe')).toBe(`It is ${mask}, mistletoe`);
  }
});

test('of an address the values are words, the path only where it is a list', () => {
  const write = (address: string) => {
    const masker = maskerOf('secret-1', first);
    return [...masker.write({ texts: [address], isAddress: true }).over].sort();
  };
  const shop = 'https://shop.example';
  expect(write(`${shop}/orders/list-of-orders/detail?page=first&sort=newest#section-one`)).toEqual([
    'first',
    'newest',
    'section',
    'section-one',
  ]);
  expect(write(`${shop}/blue/running/shoes/leather`)).toEqual([]);
  const many = Array.from({ length: 9 }, (_, i) => `cand${i}`);
  expect(write(`${shop}/${many.join('/')}`)).toEqual(many);
  expect(write(`${shop}/?${many.join('=&')}`)).toEqual(many);
  expect(write(`${shop}/?${many.map((one, i) => `n${i}=${one}`).join('&')}`)).toEqual(many);
});

test('words of a script that runs over a copy are no guesses', () => {
  const masker = maskerOf('secret-1', first);
  const script = 'return document.querySelectorAll("article").length';
  expect(masker.write({ texts: [script], isScript: true }).over).toEqual([]);
});

test('more words than 256 are none of them noted, unless the page showed them before', () => {
  const masker = maskerOf('secret-1', first);
  const words = Array.from({ length: 300 }, (_, i) => `w${i}ord`);
  const text = words.join(' ');
  expect(masker.write({ texts: [text] })).toMatchObject({ over: [], isFull: true });
  expect(masker.write({ texts: [text] }, { isShown: (word) => word !== 'w7ord' })).toMatchObject({
    over: ['w7ord'],
    isFull: false,
  });
  expect(masker.text('w7ord. w8ord.')).toBe(`${mask}. w8ord.`);
});

test('a secret of several words is masked like as many words, whatever stands between them', () => {
  const text = 'correct horse battery or purple monkey dishwasher';
  for (const gap of [' ', '\n  ', '\u00a0', '&nbsp;', '+', '%20']) {
    const page = ['correct', 'horse', 'battery'].join(gap);
    const [right, wrong] = ['correct horse battery', 'Zq7-never-guessed'].map((secret) =>
      maskerOf(secret, first, text),
    );
    expect(right?.text(`${page}.`)).toBe(`${mask}.`);
    expect(wrong?.text(`${page}.`)).toBe(`${mask}.`);
  }
});
