import { appendFileSync, chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cdp, newJailer, type Site, startIn, startSite } from '../../../test/jails.ts';
import { bundledEngine } from './bundled.ts';

const root = mkdtempSync(join(tmpdir(), 'engine-'));
const folder = join(root, 'own');
let site: Site;
beforeAll(async () => {
  chmodSync(root, 0o755);
  site = await startSite();
});
afterAll(() => {
  site.server.close();
  rmSync(root, { recursive: true });
});

test.runIf(process.arch === 'x64')(
  'the bundled Chromium is unpacked, compared with its digest at each use, and runs in its jail with its own sandbox [vault.sandbox.process.engine]',
  async () => {
    const engine = await bundledEngine([folder], true);
    if (!engine.ok) throw new Error(engine.error);
    expect(engine.value).toMatchObject({ kind: 'bundled', version: expect.stringMatching(/^147\./) });
    const { size, mode } = statSync(engine.value.path);
    expect(mode & 0o777).toBe(0o755);

    appendFileSync(engine.value.path, 'changed');
    await bundledEngine([folder], true);
    expect(statSync(engine.value.path).size).toBe(size);

    const jailer = newJailer({ engine: () => Promise.resolve(engine) });
    const browser = await startIn(jailer, [site.url]);
    expect(browser.isolation).toMatchObject({ level: 'full', chromium_sandbox: true });
    const cdp = new Cdp(browser);
    const page = await cdp.newPage(site.url);
    await expect.poll(() => cdp.evaluate(page, 'document.title')).toBe('site');
    await jailer.stop();
  },
  // It is unpacked twice, on whatever processor there is.
  180_000,
);

test.runIf(process.arch === 'x64')(
  'a folder that others can write is not used [vault.sandbox.process.engine]',
  async () => {
    const open = mkdtempSync(join(root, 'open-'));
    chmodSync(open, 0o777);
    expect(await bundledEngine([open])).toEqual({ ok: false, error: expect.stringContaining('no folder') });
  },
);
