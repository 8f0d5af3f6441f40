import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../console/fixtures/browser.ts';
import { Enclaves } from './fixtures/enclave-process.ts';
import { type ShopWithLogin, startShop } from './fixtures/shop-with-login.ts';

const enclaves = new Enclaves();
let shop: ShopWithLogin;
beforeAll(async () => {
  shop = await startShop({ username: 'ada', password: 'p' });
});
afterAll(async () => {
  await enclaves.end();
  shop.stop();
});

/** Opens a session, and ends the enclave, where only these programs are installed. */
async function sessionWith(programs: readonly string[], isolation: 'required' | 'best') {
  const dir = enclaves.newDir();
  // The core's own user looks here too.
  const tools = mkdtempSync(join(tmpdir(), 'tools-'));
  chmodSync(tools, 0o755);
  for (const name of ['flock', 'sh', ...programs])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(tools, name));
  const enclave = await enclaves.start(dir, {
    PATH: tools,
    SANDBOX_ISOLATION: isolation,
    SANDBOX_ALLOW_PRIVATE: '127.0.0.0/8',
  });
  const client = await enclaves.connect(enclave);
  const opened = await client.call('session.open', {
    tenantId: 'acme',
    actor: 'token:agent',
    sessionId: randomUUID(),
    task: 'Look at the shop',
    allowedUrls: [shop.url],
    approval: 'auto',
    credentials: [],
    maskWith: [],
    startUrl: shop.url,
    expiresAt: Date.now() + 600_000,
  });
  enclave.kill('SIGTERM');
  await enclave.ended;
  rmSync(tools, { recursive: true });
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith(`countersign-browser-${enclave.pid}-`));
  return { opened, left };
}

test('where no network namespace can be had a session is refused, not weakened [vault.sandbox.isolation.required]', async () => {
  const { opened } = await sessionWith(['setpriv'], 'required');
  expect(opened).toMatchObject({ ok: false, error: { code: 'SANDBOX_UNAVAILABLE' } });
});

test('with best, what is left is used and told, whatever other browser runs here, and its profile is removed [vault.sandbox.isolation.best]', async () => {
  const paths = shop.paths.length;
  const neighbour = await openBrowser();
  await neighbour.newPage();
  const { opened, left } = await sessionWith(['setpriv'], 'best');
  await neighbour.close();
  expect(opened.ok && opened.value.reply.session.isolation).toMatchObject({
    level: 'weaker',
    tool: 'none',
    network_namespace: false,
    process_namespace: false,
    chromium_sandbox: true,
    own_user: process.getuid?.() === 0,
  });
  expect(shop.paths.length).toBeGreaterThan(paths);
  expect(left).toEqual([]);
});
