import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../console/fixtures/browser.ts';
import { watch } from '../console/fixtures/watch.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

let dashboard: OwnDashboard;
let browser: Browser;
beforeAll(async () => {
  dashboard = await startOwnDashboard();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await dashboard?.stop();
});

test('the reference shows every endpoint, tries one out, and asks nobody else for anything [dashboard.listen.docs]', async () => {
  const page = await browser.newPage();
  const faults = watch(page, [new URL(dashboard.url).origin]);
  await page.goto(`${dashboard.url}/docs`);
  await page.getByRole('heading', { name: 'Countersign dashboard' }).waitFor();
  const document = await page.evaluate<{ paths: Record<string, object> }>(
    `fetch('/openapi.json').then((answer) => answer.json())`,
  );
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
  expect(await page.locator('.opblock').count()).toBe(operations.length);

  const nonce = page.locator('.opblock', { hasText: '/api/auth/nonce' });
  await nonce.getByRole('button').first().click();
  await nonce.getByRole('button', { name: 'Try it out' }).click();
  await nonce.getByRole('button', { name: 'Execute' }).click();
  await nonce.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

test('its files carry the policy of all our pages, and none of them calls home [dashboard.listen.docs]', async () => {
  for (const [path, type] of [
    ['/docs', 'text/html'],
    ['/docs/start.js', 'text/javascript'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
  ]) {
    const answer = await fetch(dashboard.url + path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      `${type}; charset=utf-8`,
    ]);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(await answer.text()).not.toContain('scarf');
  }
  expect(await (await fetch(`${dashboard.url}/docs`)).text()).not.toMatch(
    /<script(?![^>]*src=)|style=|https?:/,
  );
  for (const path of ['/docs/', '/docs/none.js', '/docs/index.js', '/docs/../openapi.json.js'])
    expect((await fetch(dashboard.url + path)).status).toBe(404);
});
