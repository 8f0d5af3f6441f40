import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, secretOf, type Site, siteOf } from '../../../test/chromium.ts';
import { SessionMasker } from '../session/session-masker.ts';
import type { Text } from './browser.ts';
import { copyPage } from './mirror/copy.ts';

const name = 'lovelace';
const word = 'Tr0ub4dor-3xyz';
const letters = Array.from(word);
const reversed = letters.toReversed().join('');

/** What a site may answer to a login, so that the page has the password after all. */
const shows: Record<string, string> = {
  'in pieces': letters.map((letter) => `<b>${letter}</b>`).join(''),
  'around comments': `<p>${letters.join('<!--?lit$123$-->')}</p>`,
  'around what nobody sees': `<p>${letters.join('<span hidden>copy</span>')}</p>`,
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
const form = (path: string) =>
  `<form method="post" action="${path}"><input name="user"><input name="pass" type="password"><button>Send</button></form>`;

let site: Site;
let browser: OpenedBrowser;
const masker = new SessionMasker();
beforeAll(async () => {
  site = await siteOf(({ method, url }) => {
    const path = decodeURIComponent(url);
    const body = method === 'GET' ? form(path) : (shows[path.slice(1)] ?? '');
    return {
      headers: { 'content-type': 'text/html' },
      body: `<title>x</title><h1>Hello LoveLace</h1>${body}`,
    };
  });
  browser = await browserFor([site.url], {
    copyPage: async (request) => copyPage(request, masker.once),
    onDecoy: (decoy) => masker.add(decoy, 'secret'),
  });
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
/** Tells all that a script can see, each character by its code plus one: no mask knows that. */
const shifted = (what: string) =>
  `const shift = (text) => [...text].map((one) => one.codePointAt(0) + 1);
   return shift(${what})`;
const everything = `[...document.querySelectorAll('*')].flatMap((one) => [
  one.outerHTML, one.textContent, one.innerText ?? '', one.value ?? '', one.shadowRoot?.textContent ?? '',
  one.contentDocument?.documentElement.outerHTML ?? '', ...[...one.attributes].map(({ value }) => value),
]).join(' ') + document.title + location.href`;
const unshifted = (codes: unknown): string =>
  String.fromCodePoint(...(codes as number[]).map((code) => code - 1));
const has = (text: string) => [word, reversed].some((one) => text.replace(/<[^>]*>/g, '').includes(one));

test.each(Object.keys(shows))(
  'of a page that has the password %s a script is given a copy without it [vault.sandbox.read.masked-copy]',
  async (how) => {
    await signInAt(how);
    const told = await script(shifted(everything));
    expect(told.ok && has(unshifted(told.value))).toBe(false);
    expect(told.ok && unshifted(told.value)).toContain('███');
    const data = await browser.read(null);
    expect(data.ok && has(JSON.stringify(data.value))).toBe(false);
    expect(await run({ operation_type: 'extract', selector: 'h1' })).toEqual({
      ok: true,
      value: 'Hello ███',
    });
  },
);

test('no selector of any operation tells how the password begins [vault.sandbox.read.selectors]', async () => {
  await signInAt('in a field');
  const asked = async (selector: string) =>
    Promise.all([
      run({ operation_type: 'extract', selector }),
      run({ operation_type: 'scroll', selector }),
      browser.read(selector),
    ]);
  const begins = await asked(`input[value^="${reversed.slice(0, 3)}"]`);
  expect(begins.map(({ ok }) => ok)).toEqual([false, false, false]);
  expect(begins).toEqual(await asked('input[value^="zzz"]'));
  expect((await run({ operation_type: 'scroll', selector: 'input[value]' })).ok).toBe(true);
});

test('what a script does in its copy is done to nobody, and nothing of it is left [vault.sandbox.read.no-effect]', async () => {
  await run({ operation_type: 'navigate', value: `${site.url}/other` });
  site.received.length = 0;
  const tries = [
    `document.querySelector('[name=user]').value = 'changed'; document.title = 'changed'; return 1`,
    `document.querySelector('button').click(); document.forms[0].submit(); return 1`,
    `location.href = '/gone'; return 1`,
    `const image = new Image(); image.src = '/gone'; document.body.append(image); return 1`,
    `document.body.append(Object.assign(document.createElement('script'), { src: '/gone' })); return 1`,
    `const inner = document.body.appendChild(document.createElement('iframe')); try { await inner.contentWindow.fetch('/gone') } catch {} return 1`,
    `return [typeof fetch, typeof setTimeout, typeof localStorage, typeof XMLHttpRequest, typeof WebSocket, typeof Worker]`,
    `return document.cookie`,
  ];
  for (const source of tries) await script(source);
  expect(await script(tries.at(-2) ?? '')).toEqual({ ok: true, value: Array(6).fill('undefined') });
  expect(await run({ operation_type: 'extract', selector: '[name=user]' })).toEqual({ ok: true, value: '' });
  const data = await browser.read(null);
  expect(data.ok && data.value).toMatchObject({ title: 'x', url: `${site.url}/other` });
  // Some Chromiums ask for the icon of a page by themselves.
  expect(site.received.map(({ url }) => url).filter((url) => url !== '/favicon.ico')).toEqual([]);
});
