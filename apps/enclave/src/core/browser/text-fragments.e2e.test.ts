import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';
import { pictureOf } from '../../../test/red-pictures.ts';

const far = '<div style="height:2000px"></div>';
/** What an agent would have looked for: a PIN, a group of a card's number, a word of a phrase. */
const guesses = ['4821', '7777', 'horse'];

let site: Site;
const opened: OpenedBrowser[] = [];
beforeAll(async () => {
  site = await siteOf(({ url }) =>
    url === '/card'
      ? `<!doctype html><h1>Card</h1>${far}<p>PIN 4821, 4111 7777 2222 9999, correct horse battery</p>${far}`
      : '<!doctype html>',
  );
});
afterAll(async () => {
  for (const browser of opened) {
    await browser.close();
    await browser.stop();
  }
  await site?.stop();
});

/** Returns whether a page that is gone to for such a text shows something else than it does by itself. */
async function movesFor(browser: OpenedBrowser, guess: string): Promise<boolean> {
  const show = async (address: string): Promise<Buffer> => {
    await pictureOf(browser, `${site.url}/`, false);
    await pictureOf(browser, site.url + address, false);
    // Chromium looks for it when the page has been there for a moment.
    await sleep(800);
    const taken = await browser.screenshot(false);
    if (!taken.ok) throw new Error(taken.error.code);
    return taken.value.png;
  };
  const plain = await show('/card');
  return !plain.equals(await show(`/card#:~:text=${guess}`));
}

async function newBrowser(flags?: readonly string[]): Promise<OpenedBrowser> {
  const browser = await browserFor([site.url], {}, flags);
  opened.push(browser);
  return browser;
}

test('no address has the browser look for a text in the page: it would tell which guess is right [vault.sandbox.masking.no-search]', async () => {
  const browser = await newBrowser();
  for (const guess of guesses) expect(await movesFor(browser, guess)).toBe(false);
});

test('the Chromium of a system does that where it is not told otherwise; the one from npm never does [vault.sandbox.masking.no-search]', async () => {
  expect(await movesFor(await newBrowser([]), '4821')).toBe(inject('chromium').kind === 'system');
});
