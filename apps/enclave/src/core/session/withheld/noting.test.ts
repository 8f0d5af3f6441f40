import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SessionMasker } from '../session-masker.ts';
import { workHere } from '../worker/here.ts';
import { SessionWorker, type Thread, WorkerFailed } from '../worker/session-worker.ts';

const page = 'https://app.example/home';
const id = 'c6d1f0a94b7e4a10c6d1f0a94b7e4a10';
const other = '7f3k9Qz2Lm8Xw4Rt6Yp1Vb5N';
const uuid = '550e8400-e29b-41d4-a716-446655440000';

function maskerOf(): SessionMasker {
  const masker = new SessionMasker();
  const allowedUrls = ['https://app.example/*'];
  masker.withheld.begin({ key: new Uint8Array(32), isLent: true, allowedUrls, known: [] });
  return masker;
}
function hidden(masker: SessionMasker, texts: readonly string[], url = page): string[] {
  masker.note(texts, url);
  return masker.once(texts, url);
}
const cookie = (name: string, value: string, isHttpOnly = false) => ({ name, value, isHttpOnly });
/** No two are alike, and all look made by a machine. */
const tokens = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `a1b2C3d4e5F6g${String(i).padStart(6, '0')}`);

test('what a site knows its things by stays readable: an organisation, a cart, a user in a cookie [vault.sandbox.masking.log-in-in-addresses]', () => {
  const masker = maskerOf();
  const [user, cart] = ['4929384756102938', '01ARZ3NDEKTSV4RRFFQ69G5FAV'];
  masker.noteCookies([
    cookie('org', uuid),
    cookie('user', user, true),
    cookie('cart', cart, true),
    cookie('workspace', uuid, true),
    cookie('theme', other),
    cookie('csrftoken', other),
  ]);
  const texts = [`/org/${uuid}/keys`, `/users/${user}`, `Cart ${cart}`, `Theme ${other}`];
  expect(hidden(masker, texts)).toEqual(texts);
});

test.each([
  ['PHP', cookie('PHPSESSID', id)],
  ['Spring, of a UUID', cookie('SESSION', uuid)],
  ['ASP.NET', cookie('.AspNetCore.Cookies', other, true)],
  ['Rails', cookie('_shop_session', other)],
  ['a prefix', cookie('__Host-auth', other)],
  ['Next', cookie('__Secure-next-auth.session-token', other)],
  ['a name of its own that no script reads', cookie('zk', other, true)],
])('the cookie of a log-in by %s is withheld wherever it stands', (_, one) => {
  const masker = maskerOf();
  masker.noteCookies([one]);
  expect(hidden(masker, [`You are ${one.value}.`]).join()).toMatch(/^You are withheld-[0-9a-f]{12}\.$/);
});

test('no number of tokens on a page, or of other cookies, uncovers a log-in [vault.sandbox.masking.log-in-in-addresses]', () => {
  const masker = maskerOf();
  masker.noteCookies([
    cookie('sid', other, true),
    ...tokens(180).map((value, i) => cookie(`c${i}`, value, true)),
  ]);
  const filled = [
    `var app = { sessionId: "${id}" }`,
    ...tokens(5000).map((token) => `/x?token=${token}&sid=${token}Z`),
    ...tokens(200).map((token) => `{"authenticity_token":"${token}"}`),
  ];
  for (let looks = 0; looks < 2; looks += 1) {
    const shown = hidden(masker, [...filled, `Your number: ${other}`]);
    expect(shown.join()).not.toContain(id);
    expect(shown.at(-1)).not.toContain(other);
    expect(shown.filter((text) => /token=a1b2/.test(text))).toEqual([]);
  }
});

test('tokens against forged requests take no room: 5000 of them, and tokens are withheld in texts as before', () => {
  const masker = maskerOf();
  hidden(masker, [`/x?token=${other}`]);
  hidden(
    masker,
    tokens(5000).map((token) => `/x?csrf_token=${token}&__RequestVerificationToken=${token}b`),
  );
  expect(hidden(masker, [`Token ${other}`])[0]).toMatch(/^Token withheld-/);
});

test.each([
  ['JSON of Go and Rails', `{"url":"/x?a=1\\u0026token=${other}"}`],
  ['JSON of PHP', `{"url":"https:\\/\\/app.example\\/magic\\/${other}"}`],
  ['JSON in JSON', `{"a":"{\\"token\\":\\"${other}\\"}"}`],
  ['an address in another', `/login?next=%2Fx%3Ftoken%3D${other}`],
  ['a servlet’s address in another', `/login?next=%2Fx%3Bjsessionid%3D${id}`],
  ['an address in another, twice encoded', `/login?continue=%252Fx%253Fa%253D1%2526token%253D${other}`],
  ['a mailed path in another', `/login?continue=%2Fmagic%2F${other}%3Fa%3D1`],
  ['a reset', `/password-reset/${other}`],
  ['a verified address', `/account/verify-email/${other}`],
  ['a mail’s line break', `https://app.example/x?token=\n${other}`],
  ['hexadecimal digits that are letters', '/x?token=deadbeefcafedeadbeefcafe'],
  ['letters alone', '/x?access_token=qwkzjxvbnmplokijuhygtfrd'],
])('%s carries a log-in, and none of it is shown [vault.sandbox.masking.log-in-in-addresses]', (_, text) => {
  const [shown = ''] = hidden(maskerOf(), [text]);
  expect(shown).not.toMatch(new RegExp(`${id}|${other}|deadbeef|qwkz`));
  expect(shown).toMatch(/withheld-[0-9a-f]{12}/);
});

test('an address in the JSON of a page gives no stand-in a place: it may be of another site', () => {
  const masker = maskerOf();
  const [shown = ''] = hidden(masker, [`{"url":"https://other.example/x?a=1\\u0026token=${other}"}`]);
  const standIn = /withheld-\w+/.exec(shown)?.[0] ?? '';
  expect(masker.withheld.resolve(`https://app.example/x?token=${standIn}`)).toHaveProperty('problem');
});

test('a token is remembered at 32 places at most, and at none that the session may not open', () => {
  const masker = maskerOf();
  hidden(
    masker,
    Array.from({ length: 20_000 }, (_, i) => `https://h${i}.example/?token=${other}`),
  );
  expect(masker.withheld.takeNew()).toEqual([expect.objectContaining({ value: other, places: [] })]);
  hidden(
    masker,
    Array.from({ length: 200 }, (_, i) => `/?a${i}_token=${other}`),
  );
  expect(masker.withheld.takeNew()?.[0]?.places).toHaveLength(32);
});

test('20,000 tokens in one text are learned before a thread would be ended', () => {
  const masker = maskerOf();
  const text = tokens(20_000)
    .map((token) => `/?token=${token}&zk=${token}x`)
    .join(' ');
  const begin = process.cpuUsage();
  hidden(masker, [text]);
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(5000);
});

test('a thread that is killed takes no stand-in with it, whatever task learned what it stands for', async () => {
  const started: Thread[] = [];
  const worker = new SessionWorker((): Thread => {
    const { run, stop } = workHere();
    started.push({
      run: async (task, given) => {
        if (JSON.stringify(given).includes('too much')) throw new WorkerFailed('ended');
        return run(task, given);
      },
      stop,
    });
    return started.at(-1) as Thread;
  });
  worker.withhold(randomBytes(32), ['https://app.example/*']);
  worker.noteLent();
  const link = await worker.mask(`https://app.example/x?token=${other}`, page);
  const said = await worker.ask('json', { text: `https://app.example/x?sid=${id}` });
  await expect(worker.mask('too much')).rejects.toThrow(WorkerFailed);
  expect(await worker.ask('resolve', { url: link })).toEqual({ url: `https://app.example/x?token=${other}` });
  expect(await worker.mask(`Id ${id}`)).toMatch(/^Id withheld-/);
  expect(JSON.stringify(said)).not.toContain(id);
  expect(started).toHaveLength(2);
});
