import { randomUUID } from 'node:crypto';
import { chownSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Enclaves, type EnclaveProcess } from './fixtures/enclave-process.ts';
import { childrenOf, commandOf, jailsOf } from './fixtures/processes.ts';
import { type ShopWithLogin, startShop } from './fixtures/shop-with-login.ts';

/** Somebody who is not root, and no user of ours. */
const uid = process.getuid?.() === 0 ? 61_999 : (process.getuid?.() ?? 0);
const root = join(import.meta.dirname, '../..');
/** The clone may lie where only root may enter: it is shown at a place where everybody may. */
const asUser = [
  `mount --bind '${root}' /mnt`,
  `exec setpriv --reuid=${uid} --regid=${uid} --clear-groups "$1" "/mnt\${2#'${root}'}" "$3"`,
].join(' && ');
const become = ['unshare', '--mount', 'sh', '-c', asUser, 'sh'];
const enclaves = new Enclaves();
let shop: ShopWithLogin;
let enclave: EnclaveProcess;
beforeAll(async () => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(enclaves.root, uid, uid);
  shop = await startShop({ username: 'ada', password: 'p' });
  const env = { SANDBOX_ALLOW_PRIVATE: '127.0.0.0/8' };
  const started = enclaves.run(enclaves.newDir(), env, isRoot ? become : []);
  await started.ready;
  enclave = started;
});
afterAll(async () => {
  await enclaves.end();
  shop?.stop();
});

/** Of /proc: the line of a process that begins like this. */
const statusOf = (pid: number, line: string): string =>
  new RegExp(`^${line}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

test('an enclave that is not root keeps its browsers apart all the same, and tells it as it is [vault.sandbox.isolation.as-user] [vault.sandbox.isolation.namespace] [vault.sandbox.isolation.tools]', async () => {
  const client = await enclaves.connect(enclave);
  const who = { tenantId: 'acme', actor: 'token:agent', sessionId: randomUUID() };
  const opened = await client.call('session.open', {
    ...who,
    task: 'Look at the shop',
    allowedUrls: [shop.url],
    approval: 'auto',
    credentials: [],
    maskWith: [],
    startUrl: `${shop.url}/login`,
    expiresAt: Date.now() + 600_000,
  });
  expect(opened.ok ? opened.value.reply.session : opened.error).toMatchObject({
    currentUrl: `${shop.url}/login`,
    isolation: {
      level: 'full',
      network_namespace: true,
      process_namespace: true,
      own_user: false,
      chromium_sandbox: true,
    },
  });
  const [jail = 0] = jailsOf(enclave.pid);
  const browser = childrenOf(jail).filter((pid) => /chrom/.test(commandOf(pid)));
  const [main = 0] = browser;
  expect(statusOf(main, 'Uid').split('\t')[0]).toBe(String(uid));
  expect(['CapEff', 'CapBnd'].map((line) => statusOf(main, line))).toEqual(['0'.repeat(16), '0'.repeat(16)]);
  for (const kind of ['net', 'pid', 'mnt', 'user'])
    expect(readlinkSync(`/proc/${main}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/self/ns/${kind}`));
  const closed = await client.call('session.close', who);
  expect(closed.ok && closed.value.reply.session.status).toBe('closed');
  expect(browser.map(commandOf).filter((command) => /chrom/.test(command))).toEqual([]);
});
