import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cdp, newJailer, type Site, startIn, startSite } from '../../test/jails.ts';

const jailer = newJailer();
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

test('a browser reaches the site that is allowed, and no other [vault.sandbox.isolation.egress-names]', async () => {
  const browser = await startIn(jailer, [site.url]);
  expect(browser.isolation).toMatchObject({ level: 'full', tool: 'unshare', chromium_sandbox: true });
  const refused: unknown[] = [];
  browser.onRefused((one) => refused.push(one));
  const cdp = new Cdp(browser);
  const page = await cdp.newPage(site.url);
  await expect.poll(() => cdp.evaluate(page, 'document.title')).toBe('site');
  await cdp.evaluate(page, `fetch('${other.url}/x', { mode: 'no-cors' }).catch(() => 0)`);
  expect(other.paths).toEqual([]);
  expect(refused).toEqual([{ host: '127.0.0.1', port: Number(new URL(other.url).port) }]);
});
