import type { Operation } from '@countersign/protocol/vault/operation';
import { expect, test } from 'vitest';
import { browserFor, siteOf } from '../../../test/chromium.ts';
import { darkIn, pictureOf, redIn } from '../../../test/red-pictures.ts';
import { SessionMasker } from '../session/session-masker.ts';
import { boxesIn } from './boxes-in.ts';
import { readSnapshot } from './mirror/snapshot.ts';

/** The ring of a field that has the focus lies over the edge of the button beside it. */
const page = `<!doctype html><style>* { caret-color: transparent }</style><nav><a href="/">Home</a> <a href="/">Comments</a></nav><h1>Search</h1>
<form><label>Search <input id="q" type="search"></label><button>Search</button></form>`;

test('pictures of one page are alike to the pixel, in whatever frames it came to be so [vault.sandbox.masking.pictures-alike]', async () => {
  const site = await siteOf(() => page);
  const browser = await browserFor([site.url]);
  const fill: Operation = { operation_type: 'fill', selector: '#q', value: 'a' };
  const seen = new Set<string>();
  for (let i = 0; i < 20; i++) {
    await pictureOf(browser, site.url, true);
    await browser.observe(fill);
    expect(await browser.perform(fill, ['a'])).toMatchObject({ ok: true });
    const taken = await browser.screenshot(true);
    seen.add(taken.ok ? taken.value.png.toString('base64') : taken.error.code);
  }
  await browser.close();
  await browser.stop();
  await site.stop();
  expect(seen.size).toBe(1);
});

const [apart, joined, joinedThree] = ['ak-7jcrgvazwxm', 'ak-7jcrffazwxm', 'ak-7jcffiazwxm'];
/** Each letter in an element of its own, as sites write what is to be read out or typed off. */
const letters = (secret: string, style = ''): string =>
  `<!doctype html><style>b{color:#f00;${style}}</style><p>Your key: ${Array.from(secret, (one) => `<b>${one}</b>`).join('')}</p>
<p style="margin-top:250px">Orders of today</p>`;

test('a picture is alike whether letters of a secret are drawn as one, as `ff` is by many fonts, or not [vault.sandbox.masking.pictures-alike]', async () => {
  const pages: Record<string, string> = {
    ...Object.fromEntries([apart, joined, joinedThree].map((secret) => [`/${secret}`, letters(secret)])),
    '/over-each-other': letters(apart, 'letter-spacing:-20px'),
    '/no-room': letters(joined, 'letter-spacing:-1ch;font-family:monospace'),
  };
  const site = await siteOf(({ url }) => pages[url] ?? null);
  const masker = new SessionMasker();
  for (const secret of [apart, joined, joinedThree]) masker.add(Buffer.from(secret), 'secret');
  let isDrawnAsOne = false;
  const browser = await browserFor([site.url], {
    findBoxes: async (snapshots, isGiven) => {
      const [{ layout } = { layout: { bounds: [] } }] = snapshots.flatMap(
        (one) => readSnapshot(one).documents,
      );
      isDrawnAsOne = layout.bounds.some(([, , width = 0, height = 0]) => width === 0 && height > 0);
      return boxesIn(snapshots, { all: masker.nodes, secrets: masker.secretNodes }, isGiven);
    },
  });
  const picture = (path: string) => pictureOf(browser, site.url + path, true);
  const whole = await picture(`/${apart}`);
  expect(isDrawnAsOne).toBe(false);
  expect(darkIn(whole, 250)).toBeGreaterThan(60);
  expect(redIn(whole)).toBe(0);
  for (const secret of [joined, joinedThree]) {
    expect(whole.equals(await picture(`/${secret}`))).toBe(true);
    expect(isDrawnAsOne).toBe(true);
  }
  // Where letters are made to take no room, they may be anywhere.
  for (const path of ['/no-room', '/over-each-other']) {
    const covered = await picture(path);
    expect(redIn(covered)).toBe(0);
  }
  await browser.close();
  await browser.stop();
  await site.stop();
});
