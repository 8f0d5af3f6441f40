import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loginCorpus } from './fixtures/sites/login/corpus.ts';
import { balance, type Login, type Step } from './fixtures/sites/login/pattern.ts';
import { openPlainBrowser } from './fixtures/sites/plain-browser.ts';

let plain: Awaited<ReturnType<typeof openPlainBrowser>>;
beforeAll(async () => {
  plain = await openPlainBrowser(null);
});
afterAll(() => plain?.close());

const newLogin = (): Login => ({
  username: `ada-${randomBytes(6).toString('hex')}`,
  password: `Pä ss&"${randomBytes(15).toString('base64url')}`,
  code: String(100_000 + (randomBytes(3).readUIntBE(0, 3) % 900_000)),
});

/** Closed shadow roots are closed to playwright too. */
const openToAll = loginCorpus.filter(({ name }) => name !== 'closed shadow root');

test.each(openToAll)(
  'control: the real values sign in by $name in a plain browser',
  async ({ start, steps }) => {
    const login = newLogin();
    const site = await start(login);
    const page = await plain.context.newPage();
    page.setDefaultTimeout(10_000);
    try {
      await page.goto(site.startUrl);
      for (const step of steps) await doPlainly(page, step, login);
      expect(await page.textContent('#balance')).toBe(balance);
      expect(site.signIns()).toEqual({ right: 1, wrong: 0 });
    } finally {
      await page.close();
      await site.stop();
    }
  },
);

async function doPlainly(page: Page, { operation_type, selector, value = '' }: Step, login: Login) {
  // Who signs in within a frame does all of it there, but for what comes after.
  const isInFrame = selector !== '#balance' && (await page.locator('iframe').count()) > 0;
  const found = (isInFrame ? page.frameLocator('iframe') : page).locator(selector);
  const real = value
    .replace('{{CREDENTIAL.username}}', login.username)
    .replace('{{CREDENTIAL.password}}', login.password)
    .replace('{{CODE}}', login.code);
  if (operation_type === 'fill') await found.fill(real);
  if (operation_type === 'click') await found.click();
  if (operation_type === 'wait') await found.waitFor();
}
