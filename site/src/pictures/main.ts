import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openChromium } from './chromium.ts';
import { startDemo } from './demo.ts';
import { type Scene, scenes } from './scenes.ts';
import { settle } from './settle.ts';

/** As wide as a page of the site shows it twice over. */
const viewport = { width: 1280, height: 800 };

/** Takes every picture, light and dark; the exit code. */
export async function main({ root, aside }: { root: string; aside: string }): Promise<number> {
  const into = join(root, 'docs/pictures');
  mkdirSync(into, { recursive: true });
  const [demo, browser] = await Promise.all([startDemo(root, join(aside, 'demo')), openChromium()]);
  try {
    for (const role of ['Owner', 'Merchant', 'Operator'] as const) {
      const page = await browser.newPage({ viewport, locale: 'en-GB', timezoneId: 'UTC' });
      await page.goto(demo.links[role] ?? '');
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      const { origin } = new URL(page.url());
      for (const scene of scenes.filter((each) => each.role === role)) {
        const { href } = new URL(await scene.prepare(demo), origin);
        for (const look of ['light', 'dark'] as const) await take(page, scene, { href, look, into });
      }
      await page.close();
    }
  } finally {
    await browser.close();
    await demo.stop();
  }
  return 0;
}

type Picture = { readonly href: string; readonly look: 'light' | 'dark'; readonly into: string };

async function take(page: Page, { name, ready, press }: Scene, { href, look, into }: Picture): Promise<void> {
  await page.emulateMedia({ colorScheme: look });
  await page.goto(href);
  await page.locator('main').getByText(ready).first().waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' });
  await page.waitForLoadState('networkidle');
  if (press !== undefined) await pressOnce(page, press);
  await page.evaluate(settle);
  const bytes = await webp(page);
  writeFileSync(join(into, `${name}-${look}.webp`), bytes);
  console.log(`pictures: ${name}-${look}.webp ${(bytes.length / 1000).toFixed(0)} kB`);
}

/** A button that is gone once it was pressed. */
async function pressOnce(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  if (await button.isVisible()) await button.click();
}

async function webp(page: Page): Promise<Buffer> {
  const chromium = await page.context().newCDPSession(page);
  const { data } = await chromium.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  return Buffer.from(data, 'base64');
}
