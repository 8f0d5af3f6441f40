import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';

let evil: Site;
let site: Site;
let browser: OpenedBrowser;
/** What the page with a button holds. */
let code = '';

/** Each tries to reach the other site, or the part of this one that is out of scope. */
const ways: Record<string, (to: string) => string> = {
  fetch: (to) => `fetch('${to}', {mode: 'no-cors'}).catch(() => 0)`,
  image: (to) => `new Image().src = '${to}'`,
  beacon: (to) => `navigator.sendBeacon('${to}', 'x')`,
  frame: (to) => `document.body.append(Object.assign(document.createElement('iframe'), {src: '${to}'}))`,
  'nested frame': (to) =>
    `document.body.append(Object.assign(document.createElement('iframe'), {srcdoc: '<iframe src="${to}"></iframe>'}))`,
  worker: (to) => `new Worker(URL.createObjectURL(new Blob(["fetch('${to}', {mode: 'no-cors'})"])))`,
  'worker of a worker': (to) =>
    `new Worker(URL.createObjectURL(new Blob(['new Worker(URL.createObjectURL(new Blob(["fetch(\\\\"${to}\\\\", {mode: \\\\"no-cors\\\\"})"])))'])))`,
  'shared worker': (to) => `new SharedWorker('/shared.js#${to}')`,
  'service worker': (to) => `navigator.serviceWorker.register('/service.js?${to}')`,
  popup: (to) => `window.open('${to}')`,
  'empty popup': (to) => `window.open('').document.write('<img src="${to}">')`,
  redirect: (to) => `fetch('/redirect?${to}', {mode: 'no-cors'}).catch(() => 0)`,
  'redirected frame': (to) =>
    `document.body.append(Object.assign(document.createElement('iframe'), {src: '/redirect?${to}'}))`,
  stylesheet: (to) =>
    `document.head.append(Object.assign(document.createElement('style'), {textContent: '@import "${to}"'}))`,
  prefetch: (to) =>
    `document.head.append(Object.assign(document.createElement('link'), {rel: 'prefetch', href: '${to}'}))`,
  'event source': (to) => `new EventSource('${to}')`,
  'kept alive': (to) => `fetch('${to}', {keepalive: true, mode: 'no-cors'}).catch(() => 0)`,
  form: (to) =>
    `document.body.insertAdjacentHTML('beforeend', '<form id=f method=post target=_blank action="${to}">'); f.submit()`,
  download: (to) => `Object.assign(document.createElement('a'), {href: '${to}', download: 'x'}).click()`,
  navigation: (to) => `location.href = '${to}'`,
};

/** Chromium does not even begin these without a click of a person, or they are never let run; a headless shell does. */
const unclicked = inject('chromium').kind === 'bundled' ? [] : ['popup', 'empty popup', 'form'];
const silent = new Set(['service worker', ...unclicked]);

beforeAll(async () => {
  evil = await siteOf(() => 'evil');
  site = await siteOf(({ url }) => {
    if (url.startsWith('/app/redirect?') || url.startsWith('/redirect?'))
      return { status: 302, headers: { location: url.slice(url.indexOf('?') + 1) } };
    const script = { headers: { 'content-type': 'text/javascript' } };
    if (url.startsWith('/app/shared.js'))
      return { ...script, body: `fetch(location.hash.slice(1), {mode: 'no-cors'})` };
    if (url.startsWith('/app/service.js'))
      return { ...script, body: `fetch(decodeURI(location.search.slice(1)), {mode: 'no-cors'})` };
    return url === '/app/button' ? code : '<h1>Page</h1>';
  });
  browser = await browserFor([`${site.url}/app/*`]);
});

afterAll(async () => {
  await browser.close();
  await browser.stop();
  await Promise.all([site.stop(), evil.stop()]);
});

const run = (operation: Operation) =>
  browser.perform(operation, ['value' in operation ? String(operation.value) : ''], {
    kind: 'acts',
    acts: [],
  });

test.each(Object.keys(ways))(
  'nothing out of scope is reached by %s [vault.sandbox.isolation.path-scope] [vault.sandbox.allowed-urls.network-layer] [vault.sandbox.allowed-urls.side-channels]',
  async (name) => {
    // Of its own, since what another way tells may come late.
    const goal = `got-it-${Object.keys(ways).indexOf(name)}`;
    for (const to of [`${evil.url}/${goal}`, `${site.url}/other/${goal}`]) {
      await run({ operation_type: 'navigate', value: `${site.url}/app/page` });
      const way = (ways[name] ?? (() => ''))(to).replaceAll("'/", "'/app/");
      await run({
        operation_type: 'execute_script',
        value: `${way}; await new Promise((r) => setTimeout(r, 150))`,
      });
    }
    const reached = [...evil.received, ...site.received].filter(
      ({ url }) => url.endsWith(goal) && !url.includes('?'),
    );
    expect(reached).toEqual([]);
    const told = browser.alarms.splice(0).filter(({ kind, url }) => kind === 'scope' && url.endsWith(goal));
    expect(told.length > 0).toBe(!silent.has(name));
  },
);

test.each(['popup', 'empty popup', 'form'])(
  'nor by %s after a click, in a page of its own [vault.sandbox.isolation.path-scope]',
  async (name) => {
    for (const to of [`${evil.url}/got-it`, `${site.url}/other/got-it`]) {
      await run({ operation_type: 'navigate', value: `${site.url}/app/page` });
      const way = (ways[name] ?? (() => ''))(to);
      code = `<button onclick="${way.replaceAll('"', '&quot;')}">Go</button>`;
      await run({ operation_type: 'navigate', value: `${site.url}/app/button` });
      expect(await run({ operation_type: 'click', selector: 'button' })).toEqual({ ok: true, value: null });
      await run({ operation_type: 'wait', value: 200 });
    }
    expect(
      [...evil.received, ...site.received].filter(({ url }) => url.endsWith('got-it') && !url.includes('?')),
    ).toEqual([]);
    // Told by the proxy's own process: on a busy machine after the page has been waited for.
    await expect.poll(() => browser.alarms.map(({ kind }) => kind)).toContain('scope');
    browser.alarms.splice(0);
  },
);
