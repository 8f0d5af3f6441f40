import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTestWallet } from './fixtures/test-wallet.ts';
import { signIn, startConsole, type TestConsole } from './fixtures/console.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, world.card.dashboardUrl ?? ''), { headers });

test('npm start’s dashboardUrl serves the console at / and at its own paths, and nothing else changes [system.start.console] [dashboard.listen.console] [dashboard.console.paths]', async () => {
  for (const path of ['/', '/sign-in', '/mandates', '/mandates/mdt_1', '/settings']) {
    const page = await get(path);
    expect([path, page.status, page.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toContain('<div id="console">');
  }
  for (const path of [
    '/api/none',
    '/none',
    '/mandatesx',
    '/assets/none.js',
    '/pages.json',
    '/..%2f..%2fpackage.json',
  ]) {
    const answer = await get(path);
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      404,
      { code: 80000011, msg: 'no such endpoint', data: null },
    ]);
  }
  expect(await (await get('/health')).json()).toMatchObject({ code: 80000000 });
  expect((await fetch(new URL('/mandates', world.card.dashboardUrl ?? ''), { method: 'POST' })).status).toBe(
    404,
  );
});

test('pages carry a strict policy and are asked for anew, hashed files never change, and all of it is compressed [dashboard.console.policy]', async () => {
  const page = await get('/', { 'accept-encoding': 'gzip' });
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'content-encoding': 'gzip',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-request-id': expect.any(String),
  });
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]) {
    expect(policy.split('; ')).toContain(rule);
  }
  expect(policy).not.toContain('unsafe');
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);

  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  for (const [accepted, encoding] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, identity', null],
  ] as const) {
    const file = await get(script, { 'accept-encoding': accepted });
    expect(file.headers.get('content-encoding')).toBe(encoding);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await file.text()).toContain('createElement');
  }
  const etag = page.headers.get('etag') ?? '';
  expect((await get('/', { 'if-none-match': etag })).status).toBe(304);
});

test('without VAULT_URL there is no vault page and no other origin to call; without CONTROL_PLANE_URL no control plane [vault.console.absent] [control-plane.console.absent]', async () => {
  const policy = (await get('/')).headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toContain("connect-src 'self'");
  const visit = await world.visit({ wallet: newTestWallet(world.chainId) });
  await signIn(visit);
  expect(await visit.page.getByRole('link', { name: 'Credentials' }).count()).toBe(0);
  expect(await visit.page.getByRole('link', { name: 'Actions', exact: true }).count()).toBe(0);
  for (const [path, service] of [
    ['/vault/credentials', 'vault'],
    ['/actions', 'control plane'],
  ] as const) {
    await visit.page.goto(path);
    await visit.page.getByText(`No ${service} is connected`).waitFor();
  }
  await visit.page.goto('/settings/nowhere');
  await visit.page.getByText('Page not found').waitFor();
  expect((await get('/control/v1/executions')).status).toBe(404);
  await visit.close();
});

test('the first load takes at most 200 kB of JavaScript [dashboard.console.size]', async () => {
  const visit = await world.visit({ wallet: newTestWallet(world.chainId) });
  await signIn(visit);
  const sizes: Record<string, number> = {};
  const paths = ['/', '/mandates', '/transactions', '/approvals', '/compliance', '/settings'];
  for (const path of paths) {
    const context = await world.visit({ wallet: visit.wallet, state: await visit.context.storageState() });
    const scripts = new Set<string>();
    context.page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.add(response.url());
    });
    await context.page.goto(path, { waitUntil: 'networkidle' });
    for (const url of scripts) {
      const file = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
      sizes[path] = (sizes[path] ?? 0) + gzipSync(await file.text()).length;
    }
    await context.close();
  }
  console.log('gzipped bytes of JavaScript', sizes);
  expect(Object.keys(sizes)).toHaveLength(paths.length);
  for (const [path, bytes] of Object.entries(sizes)) expect([path, bytes < 200_000]).toEqual([path, true]);
  await visit.close();
});
