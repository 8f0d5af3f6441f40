import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { controlRoutes } from '@countersign/protocol/control/routes';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { Route } from '@countersign/protocol/route';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../console/fixtures/accessible.ts';
import { openBrowser } from '../console/fixtures/browser.ts';
import { narrow, wide } from '../console/fixtures/console.ts';
import { sideways } from '../console/fixtures/looks.ts';
import { photograph } from '../console/fixtures/photograph.ts';
import { watch } from '../console/fixtures/watch.ts';
import { root } from './blocks.ts';

const dir = mkdtempSync(join(tmpdir(), 'site-'));
let server: Server;
let origin: string;
let browser: Browser;
beforeAll(async () => {
  const built = promisify(execFile)(process.execPath, [join(root, 'site/build.js'), dir]);
  [browser] = await Promise.all([openBrowser(), built]);
  server = createServer((request, response) => serve(request.url ?? '/', response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(dir, { recursive: true, force: true });
});

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** As any server of files does. */
function serve(url: string, response: import('node:http').ServerResponse): void {
  const { pathname } = new URL(url, 'http://site');
  const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
  try {
    const bytes = readFileSync(join(dir, name));
    response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

const page = (name: string) => readFileSync(join(dir, name), 'utf8');

test('there is a page for each job, for each decision, and for specification and threat model [system.site.pages]', () => {
  const jobs = ['owner', 'merchant', 'compliance', 'agent-developer', 'auditor', 'production'];
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `decisions/${name.slice(0, -3)}`);
  const names = [
    ...jobs.map((job) => `guide/${job}`),
    ...decisions,
    'spec/index',
    'spec/gateway',
    'threat-model',
  ];
  for (const name of names) expect(page(`${name}.html`)).toContain('<h1');
});

test('the API reference has a section for each operation of the three services [system.site.pages]', () => {
  for (const [service, routes] of Object.entries({
    dashboard: dashboardRoutes,
    vault: vaultRoutes,
    'control-plane': controlRoutes,
  })) {
    const index = page(`api/${service}/index.html`);
    for (const { method, path } of Object.values<Route>(routes))
      expect(index).toContain(`<code>${method} ${path.replace(/:(\w+)/g, '{$1}')}</code>`);
  }
  expect(page('api/dashboard/transactions.html')).toContain('myPayer');
});

test.each(['/', '/guide/owner.html', '/api/dashboard/approvals.html'])(
  'nothing on %s stands in anyone’s way, and it asks nobody else for anything [system.site.reading]',
  async (path) => {
    const visit = await browser.newPage();
    const faults = watch(visit, [origin]);
    await visit.goto(origin + path);
    for (const viewport of [narrow, wide]) {
      await visit.setViewportSize(viewport);
      for (const colorScheme of ['dark', 'light'] as const) {
        await visit.emulateMedia({ colorScheme });
        const look = `site-${path.replaceAll('/', '_')}-${viewport.width}-${colorScheme}`;
        expect([look, ...(await violations(visit))]).toEqual([look]);
        await photograph(visit, look);
      }
      expect(await visit.evaluate<number>(sideways)).toBeLessThanOrEqual(0);
    }
    expect(faults).toEqual([]);
    await visit.close();
  },
);

test('the first Tab leads to what skips the navigation, and search finds a guide without a server [system.site.reading]', async () => {
  const visit = await browser.newPage({ viewport: wide });
  const faults = watch(visit, [origin]);
  await visit.goto(`${origin}/guide/demo.html`);
  await visit.waitForLoadState('networkidle');
  await visit.keyboard.press('Tab');
  expect(await visit.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await visit.keyboard.press('Control+k');
  await visit.getByRole('searchbox').fill('mandate');
  await visit.getByRole('option').filter({ hasText: 'For owners' }).first().waitFor();
  expect(faults).toEqual([]);
  await visit.close();
});

test('each picture is there light and dark, is small, and a page shows it [system.site.pictures]', () => {
  const folder = join(root, 'docs/pictures');
  const names = readdirSync(folder);
  const shown = ['README.md', ...readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`)]
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join();
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(names).toContain(name.replace(/-(?:light|dark)\.webp$/, '-dark.webp'));
    expect(shown).toContain(name.replace('-dark.', '-light.'));
    expect(statSync(join(folder, name)).size).toBeLessThan(150_000);
  }
});
