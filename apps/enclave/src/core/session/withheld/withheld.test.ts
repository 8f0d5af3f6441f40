import { expect, test } from 'vitest';
import { SessionMasker } from '../session-masker.ts';

const page = 'https://app.example/home';
const id = 'c6d1f0a94b7e4a10c6d1f0a94b7e4a10';
const other = '7f3k9Qz2Lm8Xw4Rt6Yp1Vb5N';

function maskerOf(isLent = true): SessionMasker {
  const masker = new SessionMasker();
  masker.withheld.begin({ key: new Uint8Array(32), isLent, known: [] });
  return masker;
}
function hidden(masker: SessionMasker, texts: readonly string[], url = page): string[] {
  masker.note(texts, url);
  return masker.once(texts, url);
}

test.each([
  ['a servlet', `/keys;jsessionid=${id}`],
  ['PHP', `/keys?PHPSESSID=${id}&page=2`],
  ['phpBB', `./view.php?f=2&sid=${id}#p9`],
  ['ASP.NET', `/(S(${id}))/keys.aspx`],
  ['a mailed link', `/magic/${other}`],
  ['OAuth’s implicit answer', `#access_token=${other}&token_type=bearer`],
  ['an address in another', `/login?next=${encodeURIComponent(`/keys;jsessionid=${id}`)}&sid=${id}`],
  ['a whole address in a text', `Send this on: https://app.example/x?token=${other}, please`],
  ['a script', `var app = { sessionId: "${id}" }`],
])('%s carries a log-in, and none of it is shown [vault.sandbox.masking.log-in-in-addresses]', (_, text) => {
  const [shown = ''] = hidden(maskerOf(), [text]);
  expect(shown).not.toMatch(new RegExp(`${id}|${other}`));
  expect(shown).toMatch(/withheld-[0-9a-f]{12}/);
});

test.each([
  ['a place in a list', `/orders?cursor=${other}&pageToken=${other}&after=${other}`],
  ['an order', '/orders?orderId=550e8400-e29b-41d4-a716-446655440000'],
  ['words', '/search?key=summer-sale-2026-linen&code=blue&session=spring2027&token=none'],
  ['a page of its own', '/login/forgot-password/help-me-please'],
])('%s is none, and stands there as it is [vault.sandbox.masking.log-in-in-addresses]', (_, text) => {
  expect(hidden(maskerOf(), [text])).toEqual([text]);
});

test('what machines made is shown where it stood before a credential was lent; what is new is withheld in addresses alone', () => {
  const masker = maskerOf(false);
  expect(hidden(masker, [`/a?zk=${other}`])).toEqual([`/a?zk=${other}`]);
  masker.withheld.begin({ key: new Uint8Array(32), isLent: true, known: [] });
  const next = other.replace('7f', '8g');
  const [before, after, text] = hidden(masker, [`/a?zk=${other}`, `/a?zk=${next}`, `Order ${next}`]);
  expect([before, text]).toEqual([`/a?zk=${other}`, `Order ${next}`]);
  expect(after).toMatch(/^\/a\?zk=withheld-[0-9a-f]{12}$/);
});

test('a cookie is withheld wherever it stands, in part and as a script respells it', () => {
  const masker = maskerOf();
  masker.noteCookies([
    { name: 'connect.sid', value: `s%3A${id}.${other}`, isHttpOnly: true },
    { name: 'lang', value: 'en', isHttpOnly: true },
    { name: 'session_theme', value: 'dark', isHttpOnly: false },
  ]);
  expect(hidden(masker, [`/s/${id}/home`, `en dark ${other}`]).join()).not.toMatch(
    new RegExp(`${id}|${other}`),
  );
  expect(masker.json([Buffer.from(id).toString('base64'), 'en'])).toEqual(['███=', 'en']);
});

test('an address is opened as it stood there: at its origin, under its name, in its session [vault.sandbox.masking.stand-in-bound]', () => {
  const masker = maskerOf();
  const address = `https://app.example/keys;jsessionid=${id}?cursor=17`;
  const [link = ''] = hidden(masker, [address], address);
  const standIn = /withheld-\w+/.exec(link)?.[0] ?? '';
  expect(masker.withheld.resolve(link)).toEqual({
    url: `https://app.example/keys;jsessionid=${id}?cursor=17`,
  });
  expect(masker.withheld.resolve(`https://app.example/other;jsessionid=${standIn}`)).toEqual({
    url: `https://app.example/other;jsessionid=${id}`,
  });
  for (const url of [
    `https://evil.example/keys;jsessionid=${standIn}`,
    `https://app.example/comment?text=${standIn}`,
    `https://app.example/${standIn}`,
    `https://app.example@evil.example/;jsessionid=${standIn}`,
    `https://app.example/keys;jsessionid=withheld-000000000000`,
  ])
    expect([url, masker.withheld.resolve(url)]).toEqual([
      url,
      { problem: expect.stringContaining('withheld-') },
    ]);
});

test('an address with the id of a log-in that the agent chose is not opened [vault.sandbox.masking.no-fixed-log-in]', () => {
  for (const path of [`;jsessionid=${id}`, '?PHPSESSID=a', '?+PHP%53ESSID=a', `?sid=${id}`, `(S(${id}))/`]) {
    const url = `https://app.example/${path}`;
    expect([path, maskerOf().withheld.resolve(url)]).toEqual([path, { problem: expect.anything() }]);
  }
  for (const url of ['https://app.example/?q=1', 'https://app.example/?sid=BOS2024A&token=x'])
    expect(maskerOf().withheld.resolve(url)).toEqual({ url });
});

test('a page that makes a part of a secret look like a log-in learns nothing: the secret is masked whole', () => {
  const secret = 'Qw7x19c3aa0e5d7b42f1Zk';
  const masker = maskerOf();
  masker.add(Buffer.from(secret), 'made');
  for (const part of [secret.slice(0, 12), secret.slice(6)]) hidden(masker, [`/?sid=${part}`]);
  expect(masker.once([`The key is ${secret}.`], page)).toEqual(['The key is ███.']);
});

test('what the agent itself wrote is no log-in that it would be kept from, and a stand-in stands for no other', () => {
  const masker = maskerOf();
  masker.write({ texts: [`https://app.example/x?token=${other}`], isAddress: true });
  expect(hidden(masker, [`/y?token=${other}`])).toEqual([`/y?token=${other}`]);
  const [link = ''] = hidden(masker, [`/keys;jsessionid=${id}`]);
  expect(hidden(masker, [link])).toEqual([link]);
});

test('a thread that takes the place of another gives the same stand-ins, and knows what was learned', () => {
  const first = maskerOf();
  const shown = hidden(first, [`/keys;jsessionid=${id}`], `https://app.example/home;jsessionid=${id}`);
  const second = new SessionMasker();
  second.withheld.begin({ key: new Uint8Array(32), isLent: true, known: first.withheld.takeNew() ?? [] });
  expect(second.once([`/keys;jsessionid=${id}`], page)).toEqual(shown);
  expect(second.withheld.resolve(`https://app.example${shown[0]}`)).toEqual({
    url: `https://app.example/keys;jsessionid=${id}`,
  });
});

test('nothing is withheld where a session uses no credentials', () => {
  const text = `/keys;jsessionid=${id}`;
  expect(hidden(new SessionMasker(), [text])).toEqual([text]);
});

test.each([
  'a=',
  '/(A(',
  '?',
  `?${'x'.repeat(60)}=`,
  'login/',
  "a   ='",
  `;sid=${id}`,
  `?t=${other}`,
  `&zk=${other} `,
])('a megabyte of %j is looked through before a thread would be ended', (one) => {
  const masker = maskerOf();
  const text = one.repeat(1_000_000 / one.length);
  const begin = performance.now();
  masker.note([text], page);
  masker.withheld.hide([text]);
  expect(performance.now() - begin).toBeLessThan(5000);
});
