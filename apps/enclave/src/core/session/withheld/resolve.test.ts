import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { SessionMasker } from '../session-masker.ts';
import { hasLogIn } from './resolve.ts';

const token = '7f3k9Qz2Lm8Xw4Rt6Yp1Vb5N';
const id = 'c6d1f0a94b7e4a10c6d1f0a94b7e4a10';
const refused = { problem: expect.any(String) };

function maskerOf(): SessionMasker {
  const masker = new SessionMasker();
  masker.withheld.begin({ key: new Uint8Array(32), isLent: true, known: [] });
  return masker;
}
/** What an agent reads of a text at this address. */
function read(masker: SessionMasker, text: string, page: string): string {
  masker.note([text], page);
  return masker.once([text], page)[0] ?? '';
}
const standInIn = (text: string): string => /withheld-\w+/.exec(text)?.[0] ?? '';

/** A session that was shown a token at `?token=` of app.example, with its stand-in. */
function shownToken() {
  const masker = maskerOf();
  const standIn = standInIn(read(masker, `/x?token=${token}`, 'https://app.example/'));
  expect(standIn).not.toBe('');
  return { standIn, resolve: (url: string) => masker.withheld.resolve(url) };
}

const inner = (standIn: string): string => `https://app.example/?token=${standIn}`;

test.each<[string, (standIn: string) => string]>([
  ['a space', (one) => `https://evil.example/ ${inner(one)}`],
  ['a tab', (one) => `https://evil.example/\t${inner(one)}`],
  ['a line break', (one) => `https://evil.example/\n${inner(one)}`],
  ['a quote', (one) => `https://evil.example/"${inner(one)}`],
  ['a backslash', (one) => `https://evil.example/\\x/${inner(one)}`],
  ['a long path', (one) => `https://evil.example/${'a'.repeat(2100)}${inner(one)}`],
  ['no slashes', (one) => `https:evil.example/${inner(one)}`],
  ['a user name', (one) => `https://app.example@evil.example/?token=${one}`],
  ['a pair that a tab splits', (one) => `https://evil.example/?to\tken=${one}`],
])(
  'after %s the inner origin is not taken for that of the address [vault.sandbox.masking.stand-in-bound]',
  (_, at) => {
    const { standIn, resolve } = shownToken();
    expect(resolve(inner(standIn))).toEqual({ url: inner(token) });
    expect(resolve(at(standIn))).toEqual(refused);
  },
);

test.each<[string, (standIn: string) => string]>([
  ['behind a semicolon of a query', (one) => `?text=;token=${one}`],
  ['in an address in a parameter', (one) => `?text=https://app.example/?token=${one}`],
  ['in one behind another parameter', (one) => `?a=1&text=?token=${one}`],
  ['with more behind it', (one) => `?token=${one}x`],
  ['with more before it', (one) => `?token=x${one}`],
  ['twice', (one) => `?token=${one}${one}`],
  ['as a parameter of the path, which it was not', (one) => `search/x;token=${one}`],
  ['behind an ampersand of the path', (one) => `search/x&token=${one}`],
  ['in a path', (one) => `search/token/${one}`],
  ['in a part of the fragment', (one) => `#text=?token=${one}`],
  ['as a name', (one) => `?${one}=token`],
])('%s a stand-in is not resolved at its own origin [vault.sandbox.masking.stand-in-bound]', (_, rest) => {
  const { standIn, resolve } = shownToken();
  expect(resolve(`https://app.example/${rest(standIn)}`)).toEqual(refused);
});

test.each([
  `?token=${token}`,
  `a/b?x=%20&token=${token}&y=#z`,
  `#token=${token}&state=1`,
  `#/reset?token=${token}`,
  `;token=${token}/next`,
  `magic/${token}/home?x=1`,
  `(S(${id}))/home`,
  `(A(x)S(${id}))/home`,
])(
  '%s is opened as it was read in the address of the page [vault.sandbox.masking.log-in-in-addresses]',
  (rest) => {
    const masker = maskerOf();
    const url = `https://app.example/${rest}`;
    const shown = read(masker, url, url);
    expect(shown).toContain('withheld-');
    expect(masker.withheld.resolve(shown)).toEqual({ url });
  },
);

const pieces = constantFrom(
  ...String.raw`https: // / \ app.example evil.example http: :8443 @ . ? # & ; = token text token= % %2F " ' < > /magic/ (S( ) x +`.split(
    ' ',
  ),
  ' ',
  '\t',
  '\n',
  '`',
);
const addresses = tuple(
  constantFrom('', 'https://app.example/', 'https://evil.example/', 'https:evil.example/'),
  array(pieces, { maxLength: 12 }),
  constantFrom('', '', '?token=', '&token=', '#token='),
  array(pieces, { maxLength: 4 }),
).map(
  ([first, before, name, after]) =>
    (standIn: string) =>
      [first, ...before, name, standIn, ...after].join(''),
);

test('whatever address an agent writes, a value stands in it whole, under its name, at its origin [vault.sandbox.masking.stand-in-bound]', () => {
  const { standIn, resolve } = shownToken();
  const wholly = new RegExp(`[?&#]token=${token}(?=[&#]|$)`, 'g');
  let count = 0;
  assert(
    property(addresses, (at) => {
      const resolved = resolve(at(standIn));
      if (!('url' in resolved) || !resolved.url.includes(token)) return;
      count += 1;
      const url = new URL(resolved.url);
      expect(url.origin).toBe('https://app.example');
      // As the browser and its site read it: of the query and the fragment nothing else has it.
      const fragment = url.hash.slice(1).replace(/^!?\/[^?]*\?/, '');
      const pairs = [...url.searchParams, ...new URLSearchParams(fragment)];
      const others = pairs.filter(([name, value]) => name !== 'token' || value !== token);
      expect(others.flat().join(' ')).not.toContain(token);
      expect(url.pathname).not.toContain(token);
      expect(resolved.url.replace(wholly, '')).not.toContain(token);
    }),
    { numRuns: 20_000 },
  );
  expect(count).toBeGreaterThan(0);
});

test('an id with anything beside its stand-in is not opened [vault.sandbox.masking.no-fixed-log-in]', () => {
  const masker = maskerOf();
  const address = `https://app.example/home;jsessionid=${id}`;
  const shown = read(masker, address, address);
  expect(masker.withheld.resolve(shown)).toEqual({ url: address });
  for (const url of [
    shown.replace('withheld-', 'ATTACKERATTACKER1234!withheld-'),
    `${shown}!ATTACKERATTACKER1234`,
    `${shown};jsessionid=ATTACKERATTACKER1234`,
    `${shown}?jsessionid=ATTACKERATTACKER1234`,
    'https://app.example/;jsess\tionid=ATTACKERATTACKER1234',
  ])
    expect([url, masker.withheld.resolve(url)]).toEqual([url, refused]);
});

test('an id that the agent wrote into a page in pieces is not opened under its stand-in [vault.sandbox.masking.no-fixed-log-in]', () => {
  const masker = maskerOf();
  masker.write({ texts: [id.slice(0, -2)] });
  const texts = [
    `You looked for ?sid=${id}`,
    `https://app.example/?sid=${id}`,
    `/x;jsessionid=${id}`,
    `/(S(${id}))/x`,
  ];
  for (const text of texts)
    for (const page of [
      `https://app.example/search?q=${id}`,
      `https://app.example/#q=1&sid=${id}`,
      'https://evil.example/',
    ]) {
      const standIn = standInIn(read(masker, text, page));
      expect(standIn).not.toBe('');
      for (const rest of [`?sid=${standIn}`, `;jsessionid=${standIn}`, `(S(${standIn}))/`])
        expect(masker.withheld.resolve(`https://app.example/${rest}`)).toEqual(refused);
    }
});

test('an id by which the site knows the browser is opened where a page shows it: by its cookie, or as its address [vault.sandbox.masking.log-in-in-addresses]', () => {
  const byCookie = maskerOf();
  byCookie.noteCookies([{ name: 'JSESSIONID', value: id, isHttpOnly: true }]);
  const link = `/keys;jsessionid=${id}`;
  const shown = read(byCookie, link, 'https://app.example/home');
  expect(byCookie.withheld.resolve(`https://app.example${shown}`)).toEqual({
    url: `https://app.example${link}`,
  });
  // Another site's word about this one is none.
  read(byCookie, `https://app.example/?sid=${id}`, 'https://evil.example/');
  expect(byCookie.withheld.resolve(`https://app.example/?sid=${standInIn(shown)}`)).toEqual(refused);
  const visited = maskerOf();
  read(visited, link, `https://app.example/home;jsessionid=${id}`);
  expect(visited.withheld.resolve(`https://app.example${shown}`)).toEqual({
    url: `https://app.example${link}`,
  });
});

test('a session_id that says which course or conference is opened; that of a log-in is not [vault.sandbox.masking.no-fixed-log-in]', () => {
  for (const value of ['12', '2026-11', 'keynote']) {
    const url = `https://app.example/?session_id=${value}`;
    expect(maskerOf().withheld.resolve(url)).toEqual({ url });
    expect(hasLogIn(url)).toBe(false);
    expect(read(maskerOf(), url, url)).toBe(url);
  }
  for (const rest of [`?session_id=${id}`, '?PHPSESSID=a', '?PHPSESSID=withheld-000000000000']) {
    const url = `https://app.example/${rest}`;
    expect([rest, maskerOf().withheld.resolve(url), hasLogIn(url)]).toEqual([rest, refused, true]);
  }
});
