import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';
import { SessionMasker } from '../session/session-masker.ts';
import { boxesIn } from './boxes-in.ts';
import { copyPage } from './mirror/copy.ts';

const key = 'ak-7gh2kq9x4m';
const name = 'ada.lovelace';
/** An editor that draws its text itself; what is typed goes to a field that nobody sees. */
const drawn = (text: string, hidden: string): string =>
  `<p>${name}</p><pre id="text">${text}</pre>${hidden}<input id="other"><button id="button">Fold</button><script>
const keys = (event) => { const said = text.textContent;
  if (event.key === 'Backspace') text.textContent = said.slice(0, -1); else if (event.key.length === 1) text.textContent = said + event.key };
const field = document.getElementById('keys'); text.onclick = () => field?.focus();
(field ?? document).addEventListener('keydown', keys)</script>`;

/** Editors in which a key changes what stands in the page, and where a person clicks to write. */
const editors: Record<string, (text: string) => string> = {
  'a page that can be written in': (text) => `<body contenteditable><p id="text">${text}</p>`,
  'a document in design mode': (text) => `<p id="text">${text}</p><script>document.designMode='on'</script>`,
  'an editor with a field of one pixel': (text) =>
    drawn(
      text,
      '<textarea id="keys" style="position:absolute;width:1px;height:1px;padding:0;border:0"></textarea>',
    ),
  'an editor with a clear field': (text) =>
    drawn(text, '<textarea id="keys" style="position:absolute;right:0;opacity:0"></textarea>'),
  'an editor with a field that is cut off': (text) =>
    drawn(
      text,
      '<div style="overflow:hidden;width:3px;height:0"><textarea id="keys" style="width:900px;height:1em"></textarea></div>',
    ),
  'an editor that hears all keys': (text) => drawn(text, ''),
};

let site: Site;
let masking: OpenedBrowser;
let plain: OpenedBrowser;
beforeAll(async () => {
  const masker = new SessionMasker();
  masker.add(Buffer.from(key), 'secret');
  masker.add(Buffer.from(name), 'name');
  site = await siteOf(({ url }) => {
    const [how = '', text = ''] = url.slice(1).split('/').map(decodeURIComponent);
    const page = editors[how]?.(text);
    return page === undefined ? null : `<!doctype html>${page}`;
  });
  [masking, plain] = await Promise.all([
    browserFor([site.url], {
      mask: async (texts, url) => texts.map((text) => masker.text(text, url)),
      copyPage: async (request) => copyPage(request, (texts, url) => masker.once(texts, url)),
      showsSecret: async (snapshots) =>
        boxesIn(snapshots, { all: masker.secretNodes, secrets: masker.secretNodes }, false).some(
          ({ boxes }) => boxes.length > 0,
        ),
    }),
    browserFor([site.url]),
  ]);
});
afterAll(async () => {
  for (const browser of [masking, plain]) {
    await browser?.close();
    await browser?.stop();
  }
  await site?.stop();
});

async function does(browser: OpenedBrowser, operation: Operation) {
  await browser.observe(operation);
  return browser.perform(operation, ['value' in operation ? String(operation.value) : '']);
}

/** What an editor shows once a key was pressed in it. */
async function afterKey(browser: OpenedBrowser, how: string, text: string, value: string) {
  const address = [site.url, how, text]
    .map((part, i) => (i === 0 ? part : encodeURIComponent(part)))
    .join('/');
  await does(browser, { operation_type: 'navigate', value: address });
  await does(browser, { operation_type: 'click', selector: '#text' });
  await does(browser, { operation_type: 'press', value: 'End' });
  const pressed = await does(browser, { operation_type: 'press', value });
  return { pressed, read: await does(browser, { operation_type: 'extract', selector: '#text' }) };
}
const refused = { ok: false, error: { code: 'not_permitted' } };

test.each(Object.keys(editors))(
  'a key changes no secret in %s, so that no part of it can be read; else it does what it does [vault.sandbox.masking.parts]',
  async (how) => {
    for (const value of ['Backspace', 'x'])
      expect(await afterKey(masking, how, key, value)).toMatchObject({
        pressed: refused,
        read: { value: '███' },
      });
    const left = key.slice(0, -1);
    expect(await afterKey(plain, how, key, 'Backspace')).toMatchObject({ read: { value: left } });
    // The name of an account stands on every page.
    expect(await afterKey(masking, how, 'a note', 'Backspace')).toMatchObject({
      pressed: { ok: true },
      read: { value: 'a not' },
    });
  },
);

test('beside a secret that a page shows, fields in sight are written in and buttons pressed as ever [vault.sandbox.masking.parts]', async () => {
  const how = encodeURIComponent('an editor with a clear field');
  await does(masking, { operation_type: 'navigate', value: `${site.url}/${how}/${key}` });
  const press = (selector: string, value: string) =>
    does(masking, { operation_type: 'press', selector, value });
  for (const [selector, value] of [
    ['#other', 'n'],
    ['#other', 'Enter'],
    ['#button', 'Space'],
    ['#button', 'Enter'],
  ] as const)
    expect(await press(selector, value)).toMatchObject({ ok: true });
  expect(await does(masking, { operation_type: 'extract', selector: '#other' })).toMatchObject({
    value: 'n',
  });
  expect(await does(masking, { operation_type: 'press', value: 'ArrowDown' })).toMatchObject({ ok: true });
});
