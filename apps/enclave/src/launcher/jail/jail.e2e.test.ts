import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Cdp, newJailer, type Site, startIn, startSite } from '../../../test/jails.ts';
import type { StartedBrowser } from '../../channel/browser-host.ts';

const jailer = newJailer();
const isRoot = process.getuid?.() === 0;
let site: Site;
let other: Site;
beforeAll(async () => {
  [site, other] = await Promise.all([startSite(), startSite()]);
});
afterAll(async () => {
  await jailer.stop();
  site.server.close();
  other.server.close();
});

type Process = { readonly pid: number; readonly command: string; readonly uid: number };

/** Every browser process, and every first process of a jail, that this process started. */
function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !isBelow(Number(name))) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status(Number(name)))?.[1]);
      return /--user-data-dir|--type=|enclave jail/.test(command)
        ? [{ pid: Number(name), command, uid }]
        : [];
    } catch {
      return [];
    }
  });
}

const status = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8');

function isBelow(pid: number): boolean {
  if (pid === process.pid) return true;
  const parent = Number(/^PPid:\s+(\d+)/m.exec(status(pid))?.[1]);
  return parent > 1 && isBelow(parent);
}

/** The browser's own processes of the session that was started last. */
async function startAlone(): Promise<{ browser: StartedBrowser; cdp: Cdp; main: Process }> {
  const before = new Set(processes().map(({ pid }) => pid));
  const fresh = newJailer();
  const browser = await startIn(fresh, [site.url]);
  void browser.ended.then(() => fresh.stop());
  const main = processes().find(
    ({ pid, command }) =>
      !before.has(pid) && command.includes('--user-data-dir') && !command.includes('--type='),
  );
  if (main === undefined) throw new Error('there is no browser');
  return { browser, cdp: new Cdp(browser), main };
}

function groupsLeft(): string[] {
  const kinds = ['memory', 'cpu', '.']
    .map((kind) => `/sys/fs/cgroup/${kind}`)
    .filter((path) => existsSync(path));
  return kinds.flatMap((path) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes(`countersign-browser-${process.pid}-`),
    ),
  );
}

const profilesLeft = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`countersign-browser-${process.pid}-`));

describe('a browser in its jail', () => {
  test('reaches the site that is allowed, and no other [vault.sandbox.isolation.egress-names]', async () => {
    const browser = await startIn(jailer, [site.url]);
    const refused: unknown[] = [];
    browser.onRefused((one) => refused.push(one));
    const cdp = new Cdp(browser);
    const page = await cdp.newPage(site.url);
    await expect.poll(() => cdp.evaluate(page, 'document.title')).toBe('site');
    for (const url of [`${other.url}/x`, `http://localhost:${new URL(site.url).port}/y`])
      await cdp.evaluate(page, `fetch('${url}', { mode: 'no-cors' }).catch(() => 0)`);
    expect(other.paths).toEqual([]);
    expect(site.paths).not.toContain('/y');
    // Each is told by a message of its own, beside the page's answer.
    await expect
      .poll(() => refused)
      .toEqual([
        { host: '127.0.0.1', port: Number(new URL(other.url).port) },
        { host: 'localhost', port: Number(new URL(site.url).port) },
      ]);
    await browser.stop();
  });

  test('is told apart as the kernel has it: network, processes, user, rights, and its own sandbox [vault.sandbox.isolation.namespace] [vault.sandbox.isolation.tools]', async () => {
    const { browser, main } = await startAlone();
    expect(browser.isolation).toMatchObject({
      level: 'full',
      network_namespace: true,
      process_namespace: true,
      own_user: isRoot,
      chromium_sandbox: true,
    });
    for (const kind of ['net', 'pid', 'mnt', 'ipc', 'uts'])
      expect(readlinkSync(`/proc/${main.pid}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/self/ns/${kind}`));
    const devices = readFileSync(`/proc/${main.pid}/net/dev`, 'utf8');
    expect([...devices.matchAll(/^\s*(\w+):/gm)].map(([, name]) => name)).toEqual(['lo']);
    expect(status(main.pid)).toMatch(/^CapEff:\s+0+$/m);
    expect(status(main.pid)).toMatch(/^CapBnd:\s+0+$/m);
    expect(status(main.pid)).toMatch(/^NoNewPrivs:\s+1$/m);
    // As root, neither its own nor the core's nor the proxy's.
    expect(isRoot && [0, 61_013, 61_014].includes(main.uid)).toBe(false);
    await browser.stop();
  });

  test('sees of the machine only what shows pages, and can write nothing of it [vault.sandbox.process.own]', async () => {
    const { browser, main } = await startAlone();
    const root = `/proc/${main.pid}/root`;
    expect(readdirSync(root).sort()).not.toContain('root');
    expect(readdirSync(`${root}/etc`)).not.toContain('shadow');
    expect(readdirSync(`${root}/tmp`)).toEqual(['profile']);
    const mounts = readFileSync(`/proc/${main.pid}/mounts`, 'utf8').trim().split('\n');
    const writable = mounts
      .map((line) => line.split(' '))
      .filter(([, , , options]) => !options?.startsWith('ro'));
    expect(writable.map(([, path]) => path).filter((path) => !/^\/(proc|dev|tmp)/.test(path ?? ''))).toEqual([
      '/',
    ]);
    await browser.stop();
  });

  test('asks its vendor nothing of its own accord', async () => {
    const { browser, cdp } = await startAlone();
    const refused: unknown[] = [];
    browser.onRefused((one) => refused.push(one));
    const page = await cdp.newPage(site.url);
    await expect.poll(() => cdp.evaluate(page, 'document.title')).toBe('site');
    await cdp.evaluate(page, 'new Promise((resolve) => setTimeout(resolve, 3000))');
    expect(refused).toEqual([]);
    await browser.stop();
  });
});

describe('when a session ends', () => {
  test('nothing of it is left: no process, no profile, no group [vault.sandbox.process.own]', async () => {
    const { browser, main } = await startAlone();
    await browser.stop();
    expect(await browser.ended).toBe('closed');
    expect(existsSync(`/proc/${main.pid}`)).toBe(false);
    expect(processes().filter(({ uid }) => isRoot && uid === main.uid)).toEqual([]);
    expect(profilesLeft()).toEqual([]);
  });

  test('by a crash, that is told, and another session goes on [vault.sandbox.process.crash]', async () => {
    const lives = await startAlone();
    const { browser, main } = await startAlone();
    process.kill(main.pid, 'SIGKILL');
    expect(await browser.ended).toBe('crashed');
    const page = await lives.cdp.newPage(site.url);
    await expect.poll(() => lives.cdp.evaluate(page, 'document.title')).toBe('site');
    await lives.browser.stop();
  });

  test('by using up its memory, that is told, and another session goes on [vault.sandbox.process.caps] [vault.sandbox.process.crash]', async () => {
    const lives = await startAlone();
    const { browser, cdp } = await startAlone();
    const capped = browser.isolation.memory_cap === 'cgroup';
    const page = await cdp.newPage(site.url);
    const eat = 'globalThis.kept = []; for (;;) kept.push(new Uint8Array(2 ** 24).fill(1))';
    void cdp.evaluate(page, eat).catch(() => {});
    // A limit for each process ends a page alone, which is no end of a session.
    expect(capped ? await browser.ended : 'out_of_memory').toBe('out_of_memory');
    const survivor = await lives.cdp.newPage(site.url);
    await expect.poll(() => lives.cdp.evaluate(survivor, 'document.title')).toBe('site');
    await Promise.all([lives.browser.stop(), browser.stop()]);
    expect(groupsLeft()).toEqual([]);
  });
});
