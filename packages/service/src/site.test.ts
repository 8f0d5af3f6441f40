import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { readSite } from './site.ts';

const dir = mkdtempSync(join(tmpdir(), 'countersign-site-'));
mkdirSync(join(dir, 'assets'));
const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
write('index.html', '<h1>index</h1>');
write('pages.json', '["/", "/mandates"]');
write('assets/a-1.js', 'plain');
write('assets/a-1.js.gz', 'zipped');
write('secret.txt', 'not ours to give');
afterAll(() => rmSync(dir, { recursive: true }));

const get = (path: string, init: RequestInit = {}) =>
  readSite(dir)?.(new Request(`http://localhost${path}`, init)) ?? null;

test.each(['/', '/mandates', '/mandates/1/2'])('%s is a page', async (path) => {
  expect(await get(path)?.text()).toBe('<h1>index</h1>');
});

test.each([
  '/mandatesx',
  '/api',
  '/secret.txt',
  '/pages.json',
  '/assets',
  '/assets/../secret.txt',
  '/assets/a-1.js.gz',
])('%s is none of the site’s', (path) => {
  expect(get(path)).toBeNull();
});

test('only reading is answered', async () => {
  expect(get('/', { method: 'POST' })).toBeNull();
  expect(await get('/', { method: 'HEAD' })?.text()).toBe('');
});

test.each([
  ['gzip', 'zipped'],
  ['br, gzip;q=0.5', 'zipped'],
  ['gzip;q=0', 'plain'],
  ['', 'plain'],
])('accepting “%s” gets the %s file', async (accepted, body) => {
  const file = get('/assets/a-1.js', { headers: { 'accept-encoding': accepted } });
  expect(await file?.text()).toBe(body);
  expect(file?.headers.get('vary')).toBe('accept-encoding');
});

test('a folder without a build is no site', () => {
  expect(readSite(join(dir, 'assets'))).toBeNull();
});

test('the page is told what only this deployment knows, and may call the origins that it names', async () => {
  const filled = mkdtempSync(join(tmpdir(), 'countersign-site-'));
  writeFileSync(join(filled, 'index.html'), '<meta name="vault" content="" />');
  writeFileSync(join(filled, 'pages.json'), '["/"]');
  const vault = 'https://vault.example';
  const site = readSite(filled, { calls: [vault], meta: { vault } });
  const page = site?.(new Request('http://localhost/', { headers: { 'accept-encoding': 'gzip' } }));
  expect(page?.headers.get('content-security-policy')).toContain(`connect-src 'self' ${vault};`);
  const bytes = new Uint8Array((await page?.arrayBuffer()) ?? new ArrayBuffer());
  expect(gunzipSync(bytes).toString()).toBe(`<meta name="vault" content="${vault}" />`);
  expect(get('/')?.headers.get('content-security-policy')).toContain("connect-src 'self';");
  rmSync(filled, { recursive: true });
});
