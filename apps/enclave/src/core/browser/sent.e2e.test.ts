import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, secretOf, type Site, siteOf } from '../../../test/chromium.ts';
import type { Text } from './browser.ts';
import type { Sent } from './sent.ts';

const send = `fetch('/api', { method: 'DELETE' }).then(() => { done.textContent = 'sent' }, () => { done.textContent = 'failed' })`;
/** A script of the page sends the password as a form does, by what a server may take for another method. */
const overriding = (method: string, headers: Record<string, string>) =>
  `<label>Password <input name="pass" type="password"></label><button onclick="fetch('/api', { method: '${method}', body: new URLSearchParams({ pass: document.querySelector('input').value }), headers: ${JSON.stringify(headers).replaceAll('"', "'")} })">Go</button>`;
const script = (text: string) => `<script>${text}</script>`;
const pages: Record<string, string> = {
  '/fetch': `<button onclick="${send}">Go</button><p id="done"></p>`,
  '/sync': `<button onclick="const r = new XMLHttpRequest(); r.open('PUT', '/api', false); r.send('a')">Go</button>`,
  '/form': `<form method="post" action="/posted"><input name="a" value="1"><button>Go</button></form>`,
  '/blank': `<form method="post" action="/posted" target="_blank"><button>Go</button></form>`,
  '/inner': `<form method="post" action="/posted" target="in"><button>Go</button></form><iframe name="in"></iframe>`,
  '/beacon': `<button onclick="navigator.sendBeacon('/api', 'x')">Go</button>`,
  '/leaving': `<a href="/plain">Go</a>${script(`addEventListener('pagehide', () => {
    fetch('/api', { method: 'POST', keepalive: true, body: 'x' }) })`)}`,
  '/request-submit': `<form method="post" action="/posted"></form><button onclick="document.forms[0].requestSubmit()">Go</button>`,
  '/worker': `<button onclick="new Worker('/worker.js')">Go</button>`,
  '/shared': `<button onclick="new SharedWorker('/worker.js')">Go</button>`,
  '/redirect': `<form method="post" action="/hop"><input name="a" value="1"><button>Go</button></form>`,
  '/location': `<button onclick="location = '/account/delete'">Go</button>`,
  '/own': `<button>Go</button>${script(`fetch('/api', { method: 'POST' })`)}`,
  '/login': `<form method="post" action="/posted"><input name="pass" type="password"><button>Go</button></form>`,
  '/hover': `<button onmouseenter="fetch('/api', { method: 'PUT' })">Go</button>`,
  '/two': `<button onclick="${send}; const end = performance.now() + 300; while (performance.now() < end); fetch('/api', { method: 'PUT' })">Go</button>`,
  '/giant': `<button onclick="fetch('/api', { method: 'POST', body: 'x'.repeat(9e6) })">Go</button>`,
  '/as-get': overriding('POST', { 'x-http-method-override': 'GET' }),
  '/as-search': overriding('PUT', { 'x-method-override': 'SEARCH' }),
  '/as-two': overriding('POST', { 'x-http-method-override': 'GET', 'x-http-method': 'DELETE' }),
  '/as-list': overriding('POST', { 'x-http-method-override': 'GET, DELETE' }),
  '/as-post': overriding('PATCH', { 'x-http-method-override': 'POST' }),
  '/as-itself': overriding('POST', {}),
  '/get': `<button onclick="fetch('/orders/7/delete?at=' + Math.random())">Go</button>`,
  '/plain': '<h1>Plain</h1>',
};

let site: Site;
let browser: OpenedBrowser;
const seen: Sent[] = [];
const gone: string[] = [];
let verdict: 'pass' | 'refuse' | 'ask' = 'pass';

beforeAll(async () => {
  site = await siteOf(({ method, url }) => {
    if (url === '/hop') return { status: 307, headers: { location: '/posted' } };
    if (url === '/worker.js')
      return { headers: { 'content-type': 'text/javascript' }, body: `fetch('/api', { method: 'PATCH' })` };
    return method === 'GET' ? (pages[url] ?? '<h1>Other</h1>') : '<h1 id="posted">Posted</h1>';
  });
  browser = await browserFor([site.url], {
    judgeSent: (sent) => {
      seen.push(sent);
      return Promise.resolve(sent.method === 'GET' || sent.isOwn ? 'pass' : verdict);
    },
    onGone: (id) => gone.push(id),
  });
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});
beforeEach(() => {
  [seen.length, gone.length, site.received.length] = [0, 0, 0];
});

const done = { ok: true, value: null };
async function run(operation: Operation, value?: Text) {
  await browser.observe(operation);
  return browser.perform(operation, value ?? ['value' in operation ? String(operation.value) : '']);
}
const go = (path: string) => run({ operation_type: 'navigate', value: site.url + path });
const click = (selector = 'button') => run({ operation_type: 'click', selector });
const writes = () => site.received.filter(({ method }) => method !== 'GET').map(({ url }) => url);
const judged = () =>
  seen
    .filter(({ isOwn, method }) => !isOwn && method !== 'GET')
    .map(({ method, url }) => `${method} ${new URL(url).pathname}`);

test('what a click makes a page send is judged before the click is over, each time', async () => {
  verdict = 'refuse';
  await go('/fetch');
  for (let times = 1; times <= 80; times++) {
    expect(await click()).toEqual(done);
    expect(judged()).toHaveLength(times);
  }
});

test('an address that acts by being asked for is judged before the click is over, each time', async () => {
  await go('/get');
  const acting = () => seen.filter(({ url }) => url.includes('/orders/7/delete'));
  for (let times = 1; times <= 80; times++) {
    expect(await click()).toEqual(done);
    expect(acting()).toHaveLength(times);
  }
});

test.each([
  ['/fetch', 'DELETE /api'],
  ['/sync', 'PUT /api'],
  ['/form', 'POST /posted'],
  ['/inner', 'POST /posted'],
  ['/beacon', 'POST /api'],
  ['/request-submit', 'POST /posted'],
  ['/worker', 'PATCH /api'],
  ['/shared', 'PATCH /api'],
  ['/redirect', 'POST /hop'],
  // Last: it leaves a page of its own.
  ['/blank', 'POST /posted'],
])('what %s sends is judged before it leaves, and not sent where that says no', async (path, request) => {
  verdict = 'refuse';
  await go(path);
  expect(await click()).toEqual(done);
  await expect.poll(judged).toEqual([request]);
  expect(writes()).toEqual([]);
  // A popup that may not show anything is closed.
  await expect.poll(() => browser.currentUrl()).toBe(site.url + path);
  verdict = 'pass';
  await go(path);
  seen.length = 0;
  expect(await click()).toEqual(done);
  await expect.poll(() => writes().length).toBe(path === '/redirect' ? 2 : 1);
  expect(judged()).toEqual(path === '/redirect' ? [request, 'POST /posted'] : [request]);
});

test('what is done while a popup that may show nothing is being closed is done in the page that opened it', async () => {
  verdict = 'refuse';
  await go('/blank');
  for (let times = 1; times <= 20; times++) {
    expect(await click()).toEqual(done);
    expect(judged()).toHaveLength(times);
    expect(await run({ operation_type: 'extract', selector: 'form' })).toEqual({ ok: true, value: 'Go' });
  }
});

test('what a page sends before an operation acts in it, and as it is left, is told from what comes of the operation', async () => {
  verdict = 'refuse';
  await go('/own');
  await expect
    .poll(() => seen.filter(({ isOwn, method }) => isOwn && method !== 'GET'))
    .toMatchObject([{ method: 'POST' }]);
  await go('/location');
  seen.length = 0;
  await click();
  expect(seen).toMatchObject([{ method: 'GET', url: `${site.url}/account/delete`, isOwn: false }]);
  await go('/leaving');
  await click('a');
  await expect.poll(judged).toEqual(['POST /api']);
  expect(writes()).toEqual(['/api']);
});

test('what a person is asked about waits while other operations are done, and goes when it is let go', async () => {
  verdict = 'ask';
  // While a script of its own waits, or a document, Chromium lets nobody speak to the page.
  const meanwhile: [string, object][] = [
    ['/fetch', done],
    ['/form', { ok: false, error: { code: 'held' } }],
  ];
  for (const [path, hovers] of meanwhile) {
    await go(path);
    seen.length = 0;
    expect(await click()).toEqual(done);
    const [held] = seen;
    expect(await run({ operation_type: 'hover', selector: 'button' })).toMatchObject(hovers);
    expect(writes()).toEqual([]);
    expect(await browser.release([held?.id ?? ''])).toEqual(done);
    await expect.poll(() => writes().length).toBe(1);
    expect(await browser.release([held?.id ?? ''])).toMatchObject({
      ok: false,
      error: { code: 'interrupted' },
    });
    site.received.length = 0;
  }
  expect(browser.currentUrl()).toBe(`${site.url}/posted`);
});

test('what was held and is dropped fails, and what its page left behind is told as gone', async () => {
  verdict = 'ask';
  await go('/fetch');
  seen.length = 0;
  await click();
  browser.drop([seen[0]?.id ?? '']);
  expect(await run({ operation_type: 'wait', selector: '#done:not(:empty)' })).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: '#done' })).toEqual({ ok: true, value: 'failed' });
  await click();
  const id = seen.at(-1)?.id ?? '';
  await go('/plain');
  expect(gone).toEqual([id]);
  expect(await browser.release([id])).toMatchObject({ ok: false });
  expect(writes()).toEqual([]);
});

test('a click is over when its handler is, though its first request waits for a person [vault.review.act.at-the-request]', async () => {
  verdict = 'ask';
  await go('/two');
  seen.length = 0;
  expect(await click()).toEqual(done);
  expect(judged()).toEqual(['DELETE /api', 'PUT /api']);
  browser.drop(seen.map(({ id }) => id));
});

test('a secret is put in when its request is let go, and whoever judges it sees what the page has', async () => {
  verdict = 'ask';
  await go('/login');
  await run({ operation_type: 'fill', selector: 'input', value: 'x' }, [secretOf('Tr0ub4dor&3')]);
  seen.length = 0;
  await click();
  expect(seen).toMatchObject([{ carriesCredential: true, contentType: 'application/x-www-form-urlencoded' }]);
  expect(seen[0]?.body).toMatch(/^pass=.{9,}$/);
  expect(seen[0]?.body).not.toContain('Tr0ub');
  expect(await browser.release([seen[0]?.id ?? ''])).toEqual(done);
  expect(site.received.find(({ method }) => method === 'POST')?.body).toBe('pass=Tr0ub4dor%263');
});

test.each([
  ['/as-itself', 'POST'],
  ['/as-get', 'POST'],
  ['/as-search', 'PUT'],
  ['/as-two', 'DELETE'],
  ['/as-list', 'DELETE'],
  ['/as-post', 'PATCH'],
])(
  'a secret that %s sends is judged, by the graver of its methods: %s [vault.review.act.overridden]',
  async (path, method) => {
    for (const each of ['refuse', 'pass'] as const) {
      verdict = each;
      await go(path);
      await run({ operation_type: 'fill', selector: 'input', value: 'x' }, [secretOf('Tr0ub4dor&3')]);
      [seen.length, site.received.length] = [0, 0];
      await click();
      await expect.poll(judged).toEqual([`${method} /api`]);
      expect(seen.find(({ url }) => url.endsWith('/api'))).toMatchObject({
        carriesCredential: true,
        put: [{ now: { tag: 'input' } }],
      });
      await expect.poll(writes).toEqual(each === 'pass' ? ['/api'] : []);
    }
    expect(site.received.find(({ url }) => url === '/api')?.body).toBe('pass=Tr0ub4dor%263');
  },
);

test('of a giant request no text is made: it is judged by where it goes, as one that may say anything [vault.sandbox.worker.giant-requests]', async () => {
  verdict = 'refuse';
  await go('/giant');
  await click();
  await expect.poll(judged).toEqual(['POST /api']);
  expect(seen.find(({ method }) => method === 'POST')).toMatchObject({ body: '', isCut: true });
  expect(writes()).toEqual([]);
  verdict = 'pass';
});

test('what a page sends because it is hovered over is the doing of an operation [vault.review.act.at-the-request]', async () => {
  verdict = 'refuse';
  await go('/hover');
  await run({ operation_type: 'hover', selector: 'button' });
  await expect.poll(judged).toEqual(['PUT /api']);
  expect(writes()).toEqual([]);
  verdict = 'pass';
});
