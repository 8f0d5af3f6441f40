import { inflateSync } from 'node:zlib';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { ScriptReading } from '@countersign/review/script/read';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, secretOf, type Site, siteOf } from '../../../test/chromium.ts';
import type { Text } from './browser.ts';
import { paintOver } from './png.ts';

const login = `<form id="login" method="post" action="/session"><input name="user"><input name="pass" type="password">
  <button>Log in</button></form>`;
const comment = `<form method="post" action="/comments"><input id="comment" name="comment"><button id="post">Post</button></form>`;
const nameless = '<label>API key <input class="key"></label><input class="chat" placeholder="Message">';
const toggles = `<button id="flip" onclick="comment.type = 'password'">Flip</button>
  <button id="turn" onclick="login.action = '/comments'">Turn</button>`;

let site: Site;
let browser: OpenedBrowser;
beforeAll(async () => {
  site = await siteOf(
    ({ method }) => `<title>Shop</title>${method === 'GET' ? login + comment + nameless + toggles : ''}`,
  );
});
beforeEach(async () => {
  browser = await browserFor([site.url]);
  site.received.splice(0);
  await run({ operation_type: 'navigate', value: `${site.url}/` });
  return async () => {
    await browser.close();
    await browser.stop();
  };
});
afterAll(() => site.stop());

async function run(operation: Operation, value?: Text, script?: ScriptReading) {
  await browser.observe(operation);
  return browser.perform(operation, value ?? ['value' in operation ? String(operation.value) : ''], script);
}
const fill = (selector: string, value = 'x') => ({ operation_type: 'fill', selector, value }) as const;
const click = (selector: string) => run({ operation_type: 'click', selector });
const isTouched = async (selector: string) => (await browser.observe(fill(selector))).touched;

test('a page as its server made it is not touched, whatever is read and typed there [vault.review.place.touched]', async () => {
  await run(fill('[name=user]', 'a <3 b & c > d'));
  await run({ operation_type: 'extract', selector: 'form' });
  expect(await isTouched('[name=pass]')).toBe(false);
  expect((await browser.observe(fill('[name=pass]'))).target).toMatchObject({ field: 'pass' });
});

test('fields without a name and an id are different places by what they are called [vault.review.place.remembered]', async () => {
  const placeOf = async (selector: string) => (await browser.observe(fill(selector))).target?.field;
  expect(await placeOf('.key')).toBe('text API key');
  expect(await placeOf('.chat')).toBe('text Message');
});

test('it is, once a script of the agent acted in it, until another document comes; not by one that reads a copy [vault.review.place.touched]', async () => {
  const value = `document.querySelector('#comment').type = 'password'`;
  const flip = { operation_type: 'execute_script', value } as const;
  await run(flip, [value], { kind: 'reads', everything: false });
  expect(await isTouched('#comment')).toBe(false);
  await run(flip, [value], { kind: 'acts', acts: [] });
  expect(await isTouched('#comment')).toBe(true);
  expect(await isTouched('[name=pass]')).toBe(true);
  await run({ operation_type: 'navigate', value: `${site.url}/?again` });
  expect(await isTouched('[name=pass]')).toBe(false);
});

test.each([
  ['a field', fill('[name=user]', '<input type=password>')],
  ['an address', { operation_type: 'navigate', value: 'SITE/?q=%3Cform%20action=/x%3E' } as const],
])(
  'it is, once the agent wrote markup into %s, wherever a page may show it [vault.review.place.touched]',
  async (_, operation) => {
    await run({ ...operation, value: operation.value.replace('SITE', site.url) });
    await run({ operation_type: 'navigate', value: `${site.url}/?later` });
    expect(await isTouched('[name=pass]')).toBe(true);
  },
);

test('it is, where the field or its form is another than when the page was first looked at [vault.review.place.touched]', async () => {
  expect(await isTouched('#comment')).toBe(false);
  await click('#flip');
  expect(await isTouched('#comment')).toBe(true);
  expect(await isTouched('[name=pass]')).toBe(false);
  await click('#turn');
  expect(await isTouched('[name=pass]')).toBe(true);
});

test('what was allowed is what is delivered: a form that goes elsewhere since does not get the secret [vault.review.place.delivered]', async () => {
  const secret = secretOf('correct horse battery');
  expect(await run(fill('[name=pass]'), [secret])).toMatchObject({ ok: true });
  await click('#turn');
  await click('#login button');
  expect(site.received.filter(({ body }) => body.includes('horse'))).toEqual([]);
  expect(browser.alarms).toMatchObject([{ kind: 'decoy' }]);
});

test('a person is shown the page with the form outlined; the secrets in it are painted over [vault.sandbox.approval.look]', async () => {
  const operation = fill('[name=pass]');
  await browser.observe(operation);
  const plain = await browser.screenshot(false);
  const drawn = await browser.outlined(operation);
  if (!plain.ok || !drawn.ok) throw new Error('there is no picture');
  expect([drawn.value.width, drawn.value.height]).toEqual([plain.value.width, plain.value.height]);
  const line = Buffer.from([0xd0, 0x00, 0x8f, 0xd0, 0x00, 0x8f]);
  const hasLine = (png: Buffer) => inflateSync(png.subarray(41, 41 + png.readUInt32BE(33))).includes(line);
  // As the painter writes pictures: one chunk of pixels, here without anything painted.
  expect(hasLine(paintOver(plain.value.png, []) ?? plain.value.png)).toBe(false);
  expect(hasLine(drawn.value.png)).toBe(true);
});
