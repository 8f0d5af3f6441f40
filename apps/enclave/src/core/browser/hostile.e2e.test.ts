import { execFileSync } from 'node:child_process';
import type { Operation } from '@countersign/protocol/vault/operation';
import { afterEach, beforeAll, beforeEach, afterAll, expect, inject, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';

const pages: Record<string, string> = {
  '/calm': '<h1>Calm</h1>',
  '/alerts':
    '<h1>Alerts</h1><script>setTimeout(() => { for (let i = 0; i < 300; i++) alert(i) }, 20)</script>',
  '/popups': '<h1>Popups</h1><script>for (let i = 0; i < 300; i++) window.open("/calm?" + i)</script>',
  '/windows':
    '<h1>Windows</h1><button onclick="for (let i = 0; i < 10000; i++) open(`/window?${i}`)">x</button>',
  '/leave':
    '<h1>Stay</h1><button>x</button><script>onbeforeunload = (e) => { e.preventDefault(); return "no" }</script>',
  '/busy': '<h1>Busy</h1><button onclick="for (;;);">Go</button>',
};

let site: Site;
let browser: OpenedBrowser;
beforeAll(async () => {
  site = await siteOf(({ url }) => {
    if (url.startsWith('/round'))
      return { status: 302, headers: { location: `/round?${Number(url.split('?')[1] ?? 0) + 1}` } };
    if (url.startsWith('/again'))
      return { headers: { refresh: `0;url=/again?${Math.random()}` }, body: '<h1>Again</h1>' };
    if (url === '/file')
      return {
        headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment' },
        body: 'x',
      };
    return pages[url] ?? '<h1>Other</h1>';
  });
});
afterAll(() => site.stop());
beforeEach(async () => {
  browser = await browserFor([site.url]);
});
afterEach(async () => {
  await browser.close();
  await browser.stop();
});

const run = async (operation: Operation) => {
  await browser.observe(operation);
  return browser.perform(operation, ['value' in operation ? String(operation.value) : '']);
};
const go = (path: string) => run({ operation_type: 'navigate', value: site.url + path });
const done = { ok: true, value: null };

/** Goes on as it is told to, where the page before had to be closed to be left: a headless shell shows every alert. */
async function leaveFor(path: string) {
  const left = await go(path);
  const isShell = inject('chromium').kind === 'bundled';
  return isShell && !left.ok && left.error.code === 'interrupted' ? go(path) : left;
}

test('alerts, popups, a page that will not be left, endless redirects and downloads end clearly [vault.sandbox.hostile-pages]', async () => {
  expect(await go('/alerts')).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({ ok: true, value: 'Alerts' });
  expect(await leaveFor('/leave')).toEqual(done);
  expect(await run({ operation_type: 'click', selector: 'button' })).toEqual(done);
  expect(await go('/calm')).toEqual(done);
  expect(await go('/round')).toMatchObject({ ok: false, error: { code: 'navigation_failed' } });
  expect(await go('/file')).toMatchObject({ ok: false, error: { code: 'navigation_failed' } });
  await go('/popups');
  expect(await go('/calm')).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({ ok: true, value: 'Calm' });
});

test('a page that refreshes without end is left for good, each time [vault.sandbox.hostile.left]', async () => {
  const read = { operation_type: 'extract', selector: 'h1' } as const;
  for (let round = 0; round < 6; round++) {
    await go('/again');
    // Whatever it shows by then.
    await run(read);
    expect(await leaveFor('/calm')).toEqual(done);
    expect(await run(read)).toEqual({ ok: true, value: 'Calm' });
  }
});

test('a page that opens thousands of windows is stopped, where nothing keeps it from opening them too [vault.sandbox.hostile-pages]', async () => {
  await go('/windows');
  await run({ operation_type: 'click', selector: 'button' });
  expect(await leaveFor('/calm')).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({ ok: true, value: 'Calm' });
  expect(site.received.filter(({ url }) => url.startsWith('/window?')).length).toBeLessThan(20);
});

test('a page that is busy for ever times out, and one can go elsewhere [vault.sandbox.hostile-pages]', async () => {
  await go('/busy');
  expect(await run({ operation_type: 'click', selector: 'button' })).toMatchObject({
    ok: false,
    error: { code: 'timeout' },
  });
  expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({ ok: true, value: 'Busy' });
  expect(await go('/calm')).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({ ok: true, value: 'Calm' });
  expect(await run({ operation_type: 'execute_script', value: 'for (;;);' })).toMatchObject({
    ok: false,
    error: { code: 'timeout' },
  });
  expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({ ok: true, value: 'Calm' });
});

test('a page that crashes says so, and another can be loaded [vault.sandbox.hostile-pages]', async () => {
  await go('/calm');
  for (const pid of renderersOf(browser.pid)) process.kill(pid, 'SIGKILL');
  const read = await run({ operation_type: 'extract', selector: 'h1' });
  expect(read).toMatchObject({ ok: false, error: { code: 'interrupted' } });
  expect(await go('/calm')).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({ ok: true, value: 'Calm' });
});

/** Processes that show pages, of the browser that leads this group. */
const renderersOf = (group: number): number[] =>
  execFileSync('ps', ['-eo', 'pid,pgid,args'], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [pid, pgid] = line.trim().split(/\s+/).map(Number);
      return pgid === group && line.includes('--type=renderer') && pid !== undefined ? [pid] : [];
    });
