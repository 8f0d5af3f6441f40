import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSession } from '../fixtures/browser-session.ts';
import { type Site, startSite } from '../fixtures/sites/site.ts';
import { joinVault, type TestVault } from '../fixtures/vault.ts';

const password = 'kept-4711-apart';
/** Two megabytes of such text, with a secret at their end. */
const longPage = (part: string): string =>
  `<title>Long</title><p id="text">${part.repeat(Math.ceil(2_000_000 / part.length))} ${password}</p>`;
const longTexts = {
  words: 'lorem ipsum dolor sit amet ',
  'what nearly is the secret': password.slice(0, -1),
  'what nearly is it, letter by letter': Array.from(password.slice(0, -1)).join(' '),
  'percent signs of percent signs': '%2525256b%25252565',
  'references to characters': '&amp;amp;#107;',
  'back strokes': '\\\\u006b',
  'one letter': 'k',
  elements: '<b>k</b><i>e</i>',
} as const;

let vault: TestVault;
let site: Site;
let token: string;
let neighbour: BrowserSession;
let credential: string;
beforeAll(async () => {
  [vault, site] = await Promise.all([
    joinVault(),
    startSite({
      '/calm': '<title>Calm</title><p id="text">calm</p>',
      ...Object.fromEntries(Object.values(longTexts).map((part, i) => [`/long${i}`, longPage(part)])),
      '/login':
        '<form method="post" action="/login"><label>User <input id="username" name="username" autocomplete="username"></label><label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label><button id="submit">Sign in</button></form>',
    }),
  ]);
  token = await vault.tokenOf(vault.admin);
  const made = await vault.newCredential(token, {
    credential_type: 'username_password',
    plaintext_data: { username: 'ada', password },
    allowed_urls: [site.origin],
  });
  credential = made.id;
  neighbour = await open();
});
afterAll(async () => {
  await vault?.stop();
  await site?.stop();
});

async function open(credential_ids: readonly string[] = []): Promise<BrowserSession> {
  const session = await BrowserSession.open(vault, token, { credential_ids, allowed_urls: [site.origin] });
  await session.do({ operation_type: 'navigate', value: `${site.origin}/calm` });
  return session;
}

/**
 * The longest that the neighbour waits for its own page, in milliseconds, until `work` is done or for so long. It asks a few
 * times a second, and what it waits before it asks counts too: whenever it is stopped, no less is measured.
 */
async function maxWait(work: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const ended = work.catch(() => undefined).finally(() => (state.isOver = true));
  const start = performance.now();
  let [answered, longest] = [start, 0];
  do {
    await neighbour.do({ operation_type: 'extract', selector: '#text' });
    const now = performance.now();
    [answered, longest] = [now, Math.max(longest, now - answered)];
    await Promise.race([ended, sleep(betweenMs)]);
  } while (!state.isOver && performance.now() - start < watchedMs);
  return longest;
}

const betweenMs = 100;
const watchedMs = 8000;
const allowedMs = 2000;

const script = (value: string) => async (session: BrowserSession) =>
  session.operate({ operation_type: 'execute_script', value });
const filled = (part: string, bytes: number): string => part.repeat(Math.floor(bytes / part.length));
const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);

/** What one session asks that keeps whoever reads it busy. */
const burdens: Readonly<Record<string, (session: BrowserSession) => Promise<unknown>>> = {
  '64 KB of functions that call each other': script(
    `const o=[];let i=0;${filled('o.push(()=>o[i]());', 65_000)}`,
  ),
  '3 KB of functions that call each other': script(
    `const o=[];let i=0;${filled('o.push(()=>o[i]());', 3000)}`,
  ),
  'functions that call those before them': script(
    Array.from(
      { length: 1500 },
      (_, i) => `function f${i}(a){return f${(i * 7) % 1500}(f${(i * 13) % 1500}(a))}`,
    ).join('\n'),
  ),
  'names that hand on what others hand on': script(
    `let a0=document;${Array.from({ length: 2500 }, (_, i) => `let a${i + 1}=a${i}||a${(i * 31) % (i + 1)};`).join('')}return a2500`,
  ),
  'the same in the wrong order': script(
    `let ${Array.from({ length: 2000 }, (_, i) => `a${i}`).join()};${Array.from({ length: 2000 }, (_, i) => `a${i}=a${i + 1};`).join('')}return a0`,
  ),
  'members of members': script(`return document${filled('.a', 60_000)}`),
  'brackets in brackets': script(`return ${nested('[', '1', ']', 30_000)}`),
  'brackets that are never closed': script(`return ${'('.repeat(60_000)}`),
  'calls in calls': script(`return ${nested('f(', '1', ')', 20_000)}`),
  'templates in templates': script(`return ${nested('`${', '1', '}`', 12_000)}`),
  'arrows in arrows': script(`return ${nested('()=>{return ', '1', '}', 4500)}`),
  'a sum of many texts': script(`return ${Array.from({ length: 8000 }, () => '"a"').join('+')}`),
  'a regular expression that never ends': script(`return /${'(a*)*'.repeat(8000)}/`),
  'deep JSON as a result': script('let v = 1; for (let i = 0; i < 100000; i++) v = [v]; return v'),
  'wide JSON as a result': script(
    'return Array.from({ length: 300000 }, (_, i) => ({ ["k" + i]: String(i) }))',
  ),
  'a long selector': async (session) =>
    session.operate({ operation_type: 'extract', selector: `:is(${filled('p,', 4000)}p)` }),
  'selectors in selectors': async (session) =>
    session.operate({ operation_type: 'extract', selector: nested(':is(', 'p', ')', 1000) }),
  'placeholders without number': async (session) =>
    session.operate({
      operation_type: 'fill',
      selector: '#text',
      value: filled('{{CREDENTIAL.password}}', 65_000),
    }),
  'braces without number': async (session) =>
    session.operate({ operation_type: 'fill', selector: '#text', value: filled('{{ CREDENTIAL', 65_000) }),
};

test('an operation of a session that nobody disturbs takes less than that', async () => {
  const rest = new Promise((done) => setTimeout(done, 500));
  expect(await maxWait(rest)).toBeLessThan(allowedMs);
});

/** Signs in, so that there is a secret to be looked for. */
async function signedIn(path: string): Promise<BrowserSession> {
  const session = await open([credential]);
  await session.do({ operation_type: 'navigate', value: `${site.origin}/login` });
  await session.do({ operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' });
  await session.do({ operation_type: 'click', selector: '#submit' });
  await session.do({ operation_type: 'navigate', value: site.origin + path });
  return session;
}

test.each(Object.keys(longTexts).map((name, i) => [name, `/long${i}`]))(
  '2 MB of %s around a secret, read in every way, do not stop the session beside it [vault.sandbox.attacks.freeze]',
  async (_, path) => {
    const session = await signedIn(path);
    const read = async () => {
      await session.operate({
        operation_type: 'execute_script',
        value: "return document.querySelector('#text').textContent",
      });
      await session.operate({ operation_type: 'extract', selector: '#text' });
      await session.ask('POST', '/export', { format: 'json' });
      await session.ask('POST', '/screenshot', {});
    };
    expect(await maxWait(read())).toBeLessThan(allowedMs);
    await session.close();
  },
);

test('JSON of 100,000 brackets in the body of a request is refused and stops nobody [vault.sandbox.attacks.freeze]', async () => {
  const body = nested('[', '1', ']', 100_000);
  const asks = fetch(`${vault.url}/api/v1/sandbox/sessions/${neighbour.id}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  }).then(({ status }) => expect(status).toBe(400));
  expect(await maxWait(asks)).toBeLessThan(allowedMs);
  await asks;
});

// The worst last: where nothing ends it, nothing after it is answered.
test.each(Object.entries(burdens).toReversed())(
  'the session beside one that has %s goes on [vault.sandbox.attacks.freeze]',
  async (_, burden) => {
    const session = await open();
    const work = burden(session);
    expect(await maxWait(work)).toBeLessThan(allowedMs);
    await session.close();
  },
);
