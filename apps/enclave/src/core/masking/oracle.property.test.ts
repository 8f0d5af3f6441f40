import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SessionMasker } from '../session/session-masker.ts';
import { mask, newMasker } from './masker.ts';

/** A session's masker that knows a secret, after the agent has written this. */
function maskerOf(secret: string, ...literals: readonly string[]): SessionMasker {
  const masker = new SessionMasker();
  masker.add(Buffer.from(secret), 'secret');
  for (const literal of literals) masker.write({ texts: [literal] });
  return masker;
}

const word = fc.stringMatching(/^[a-z]{4,8}[0-9!]{0,3}$/);
/** How a page shows again what it was sent. */
const echoes: Record<string, (text: string) => string> = {
  'as it is': (text) => `<p>Results for "${text}"</p>`,
  'in capitals': (text) => `RESULTS FOR ${text.toUpperCase()}`,
  'in a URL': (text) => `https://shop.example/?q=${encodeURIComponent(text)}&page=1`,
  'in a query': (text) => `https://shop.example/?${new URLSearchParams({ q: text }).toString()}`,
  'in HTML': (text) => `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
  'in JSON': (text) => JSON.stringify({ q: text }),
  trimmed: (text) => `[${text.trim()}]`,
  'with other spaces': (text) => text.replaceAll(' ', '\n  '),
};
/** What sites make of what they were sent: names of files, tags, numbers in groups. */
const rewrites: Record<string, (text: string) => string> = {
  joined: (text) => text.replaceAll('_', ''),
  'with other signs': (text) => text.replaceAll('_', '-'),
  'in groups': (text) => text.replaceAll(/.{3}/g, '$&-'),
};

test('what the agent wrote comes back the same whatever the secret is: no guess of it is told [vault.sandbox.masking.no-oracle]', () => {
  const candidates = fc.array(word, { minLength: 2, maxLength: 60 });
  const separator = fc.constantFrom(' ', ', ', '\n', '', ' & ', '<br>', '+');
  fc.assert(
    fc.property(
      candidates,
      separator,
      fc.nat(),
      fc.constantFrom(...Object.keys(echoes)),
      (all, between, which, how) => {
        const literal = ` ${all.join(between)} `;
        const page = (echoes[how] ?? String)(literal);
        // One secret is among the candidates, the other nowhere.
        const [right, wrong] = [all[which % all.length] ?? '', 'Zq7-never-guessed'];
        const seen = [right, wrong].map((secret) => {
          const masker = maskerOf(secret, literal);
          return [masker.text(page), masker.nodes([page, 'x']), masker.json({ page })];
        });
        expect(seen[0]).toEqual(seen[1]);
        expect(seen[0]?.[0]).toBe(page);
      },
    ),
    { numRuns: 500 },
  );
});

test('nor is a guess told by a site that takes signs out of it or puts them in [vault.sandbox.masking.no-oracle]', () => {
  fc.assert(
    fc.property(
      word,
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom('', '-Aa1', '.x'),
      fc.constantFrom(...Object.keys(rewrites)),
      (start, at, end, how) => {
        const secret = start + end;
        const literal = how === 'in groups' ? secret : `${secret.slice(0, at)}_${secret.slice(at)}`;
        const page = (rewrites[how] ?? String)(literal);
        const right = maskerOf(secret, literal);
        expect(outputsOf(right, [page])).toEqual(outputsOf(maskerOf('Zq7-never-guessed', literal), [page]));
      },
    ),
  );
});

test('without what the agent wrote, what a site joins again would tell', () => {
  fc.assert(
    fc.property(word, (secret) => {
      expect(maskerOf(secret).text(secret)).not.toBe(secret);
    }),
  );
});

test('each of several literals, also one that is the secret itself, is left as the agent wrote it', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), fc.nat(), (all, which) => {
      const page = all.map((one) => `<li>${one}</li>`).join('');
      expect(maskerOf(all[which % all.length] ?? '', ...all).text(page)).toBe(page);
    }),
    { numRuns: 200 },
  );
});

/** What any output of a masker is for a page, also in pieces. */
function outputsOf(masker: SessionMasker, pieces: readonly string[]): unknown {
  return [masker.text(pieces.join('')), masker.nodes(pieces), masker.json({ pieces })];
}

test('of a few digits nothing tells which they are, whatever a page lists or computes [vault.sandbox.masking.pins]', () => {
  // Outside of the chains, which make theirs anew in each run.
  const pins = fc.oneof(
    ...[4, 5, 6].map((length) =>
      fc.array(fc.stringMatching(new RegExp(`^[0-9]{${length}}$`)), { minLength: 2, maxLength: 2 }),
    ),
  );
  const anything = fc.string();
  fc.assert(
    fc.property(
      pins.chain(([right = '', wrong = '']) => {
        const written = fc.constantFrom<(pin: string) => string>(
          (pin) => pin,
          (pin) => Array.from(pin).join(' '),
          (pin) => Array.from(pin).reverse().join(''),
          (pin) => Buffer.from(pin).toString('base64'),
          (pin) => Buffer.from(pin).toString('hex'),
          (pin) => encodeURIComponent(`&#${pin};`),
          (pin) => ` ${pin}, `,
        );
        const piece = fc.oneof(
          anything,
          fc.constantFrom('0', '1', '2', ' ', '1234', '20260', 'a1234'),
          fc.tuple(written, fc.constantFrom(right, wrong)).map(([write, pin]) => write(pin)),
          ...[right, wrong].map((pin) => fc.constantFrom(...Array.from(pin))),
        );
        return fc.record({
          right: fc.constant(right),
          wrong: fc.constant(wrong),
          page: fc.array(piece, { maxLength: 12 }),
          literals: fc.array(piece, { maxLength: 3 }),
        });
      }),
      ({ right, wrong, page, literals }) => {
        const [one, other] = [maskerOf(right, ...literals), maskerOf(wrong, ...literals)];
        expect(outputsOf(one, page)).toEqual(outputsOf(other, page));
        expect(one.text(`It is ${right}.`)).not.toContain(right);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a number of as many digits is masked where it stands by itself, in one text or a digit a text', () => {
  const masker = maskerOf('4938');
  expect(masker.text('In 2024: 4938, 49380, x4938, 4938y, "4938".')).toBe(
    `In ${mask}: ${mask}, 49380, x4938, 4938y, "${mask}".`,
  );
  expect(masker.nodes(['4', '9', ' \n', ' 3', '8', 'and', '1', '2', '3'])).toEqual([
    mask,
    mask,
    ' \n',
    ` ${mask}`,
    mask,
    'and',
    '1',
    '2',
    '3',
  ]);
  expect(masker.json({ pin: 4938, code: [1, 2, 3, 4], n: 49381 })).toEqual({
    pin: mask,
    code: [mask, mask, mask, mask],
    n: 49381,
  });
  const stream = newMasker([Buffer.from('4938')]).stream();
  const text = `${'a'.repeat(200)}4938 4938 ${'b'.repeat(200)}`;
  const out = Array.from(text, (sign) => stream.write(sign)).join('') + stream.end();
  expect(out).toBe(`${'a'.repeat(200)}4938 ${mask} ${'b'.repeat(200)}`);
});

test('after 64 short texts of its own each further one is masked, whether it is a secret or not [vault.sandbox.masking.guesses]', () => {
  const first = Array.from({ length: 64 }, (_, i) => `guess${i}`);
  const page = 'guess0, swordfish, tr0ub4dor; your password: swordfish';
  const [right, wrong] = ['swordfish', 'tr0ub4dor'].map((secret) =>
    maskerOf(secret, ...first, 'swordfish', 'tr0ub4dor', 'a longer text of the agent'),
  );
  expect(right?.text(page)).toBe(`guess0, ${mask}, ${mask}; your password: ${mask}`);
  expect(wrong?.text(page)).toBe(right?.text(page));
  expect(right?.text('a longer text of the agent')).toBe('a longer text of the agent');
  const none = new SessionMasker();
  for (const literal of [...first, 'swordfish']) none.write({ texts: [literal] });
  expect(none.text(page)).toBe(page);
});

test('a list of 4,800 passwords comes back as written, and the site’s own display of the secret does not', () => {
  const list = Array.from({ length: 4800 }, (_, i) => `pass-${(i * 7919).toString(36)}x`);
  const literal = list.join(' ').slice(0, 65_536);
  const masker = maskerOf(list[2400] ?? '', literal);
  const page = (own: string) => `<h1>Results for ${literal}</h1><p>Your password: ${own}</p>`;
  expect(masker.text(page(list[2400] ?? ''))).toBe(page(mask));
});

test('what the address of an operation asks for is the agent’s own words too', () => {
  const masker = maskerOf('hunter2!');
  masker.write({
    texts: ['https://shop.example/find/hunter2!?q=a+hunter2!&n=hunter2%21'],
    isAddress: true,
  });
  for (const echo of ['<h1>a hunter2!</h1>', '<h1>hunter2!</h1>', 'find / hunter2!'])
    expect(masker.text(echo)).toBe(echo);
});

test('a part of a secret, or less than four bytes, frees nothing of it; what sticks out is masked whole', () => {
  for (const literal of ['Tr0ub4dor', 'r&3', 'dor&3 and', ' ', '', 'Tr0'])
    expect(maskerOf('Tr0ub4dor&3', literal).text('It is Tr0ub4dor&3 and more')).toBe(
      `It is ${mask} and more`,
    );
  expect(maskerOf('Tr0ub4dor&3', 'is Tr0ub4dor&3 and').text('x Tr0ub4dor&3 y')).toBe(`x ${mask} y`);
});

test('no more is remembered than 256 KiB, the newest; and finding it is linear [vault.sandbox.masking.linear]', () => {
  const literals = Array.from({ length: 9 }, (_, i) => `${i}${'ab'.repeat(16_000)}secret-${i}`);
  const masker = maskerOf('secret-0', ...literals);
  expect(masker.text(literals[0] ?? '')).toContain(mask);
  expect(maskerOf('secret-8', ...literals).text(literals[8] ?? '')).toBe(literals[8]);
  const repeated = Array.from({ length: 500 }, (_, i) => 'a'.repeat(500 + i));
  expect(maskerOf('aaaa', ...repeated).text('a'.repeat(100_000))).toBe('a'.repeat(100_000));
});
