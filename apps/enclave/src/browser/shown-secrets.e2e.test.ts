import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, secretOf, type Site, siteOf } from '../../test/chromium.ts';
import { SessionMasker } from '../session/session-masker.ts';
import type { Text } from './browser.ts';

const name = 'lovelace';
const word = 'Tr0ub4dor-3xyz';
const letters = Array.from(word);
const reversed = letters.toReversed().join('');

/** What a site may answer to a login, so that the page has the password after all. */
const shows: Record<string, string> = {
  'in pieces': letters.map((letter) => `<b>${letter}</b>`).join(''),
  reversed: `<p>${reversed}</p>`,
  'as references': `<p>${letters.map((letter) => `&#${letter.charCodeAt(0)};`).join('')}</p>`,
  'in an attribute': `<p data-it="${reversed}"></p>`,
  'in a comment': `<!-- ${reversed} -->`,
  'in a field': `<input value="${reversed}">`,
  'in a hidden element': `<p hidden>${reversed}</p>`,
  'in a frame': `<iframe srcdoc="<p>${reversed}</p>"></iframe>`,
  'in a shadow root': `<div id="host"></div><script>host.attachShadow({mode: 'open'}).innerHTML = '${reversed}'</script>`,
  'by a script': `<p id="p"></p><script>p.textContent = [...'${reversed}'].reverse().join('')</script>`,
};
const waits = `<p id="p"></p><script>addEventListener('show', () => { p.textContent = '${reversed.slice(0, 6)}' + '${reversed.slice(6)}' })</script>`;
const form = (path: string) =>
  `<form method="post" action="${path}"><input name="user"><input name="pass" type="password"><button>Send</button></form>`;

let site: Site;
let browser: OpenedBrowser;
const masker = new SessionMasker();
beforeAll(async () => {
  site = await siteOf(({ method, url }) => {
    const path = decodeURIComponent(url);
    const body = method === 'GET' ? form(path) : (shows[path.slice(1)] ?? waits);
    return {
      headers: { 'content-type': 'text/html' },
      body: `<title>x</title><h1>Hello LoveLace</h1>${body}`,
    };
  });
  browser = await browserFor([site.url], { holdSecret: masker.holdSecret });
  masker.add(Buffer.from(name), 'name');
  masker.add(Buffer.from(word), 'secret');
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});

async function run(operation: Operation, value?: Text) {
  await browser.observe(operation);
  return browser.perform(operation, value ?? ['value' in operation ? String(operation.value) : '']);
}
const script = (value: string) => run({ operation_type: 'execute_script', value });
async function signInAt(path: string): Promise<void> {
  await run({ operation_type: 'navigate', value: `${site.url}/${encodeURIComponent(path)}` });
  await run({ operation_type: 'fill', selector: '[name=user]', value: 'x' }, [secretOf(name)]);
  await run({ operation_type: 'fill', selector: '[name=pass]', value: 'x' }, [secretOf(word)]);
  expect(await run({ operation_type: 'click', selector: 'button' })).toMatchObject({ ok: true });
}
const held = { ok: false, error: { code: 'held' } };

test.each(Object.keys(shows))(
  'no script runs in a page that has the password %s; what is masked is still read [vault.sandbox.masking.shown-to-scripts]',
  async (how) => {
    await signInAt(how);
    expect(await script('document.title = "ran"; return 1')).toMatchObject(held);
    const title = await browser.read(null);
    expect(title.ok && title.value.title).toBe('x');
    expect(await run({ operation_type: 'extract', selector: 'h1' })).toMatchObject({ ok: true });
  },
);

test('a page that shows the name of the account alone takes scripts, until one makes it show the password [vault.sandbox.masking.shown-to-scripts]', async () => {
  await signInAt('later');
  expect(await script('return document.querySelector("h1").innerText')).toEqual({
    ok: true,
    value: 'Hello LoveLace',
  });
  expect(await script(`dispatchEvent(new Event('show')); return 1`)).toMatchObject(held);
  await run({ operation_type: 'navigate', value: `${site.url}/other` });
  expect(await script('return 2')).toEqual({ ok: true, value: 2 });
});
