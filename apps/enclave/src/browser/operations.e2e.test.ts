import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../test/chromium.ts';
import type { Text } from './browser.ts';

const pages: Record<string, string> = {
  '/form': `<title>Form</title><h1>Form</h1><form method="post" action="/session">
    <label>Name <input name="user" autocomplete="username" oninput="heard.textContent += 1"></label>
    <select name="size"><option value="s">Small</option><option value="l">Large</option></select>
    <button>Send</button></form><p id="heard"></p>
    <a href="/next" id="link">Next</a><div style="height:3000px"></div><button id="far" onclick="this.textContent='Clicked'">Far</button>`,
  '/next':
    '<h1>Next page</h1><button id="later" hidden>Later</button><script>setTimeout(() => later.hidden = false, 300)</script>',
};

const table = `<title>Orders</title><table><tr><th>No</th><th>Sum</th></tr><tr><td>1</td><td>2.50</td></tr></table>
  <dl><dt>Owner</dt><dd>Ada</dd><dt>Town</dt><dd>London</dd></dl>`;

let site: Site;
let browser: OpenedBrowser;

beforeAll(async () => {
  site = await siteOf(({ method, url, body }) =>
    method === 'POST' ? `<h1 id="done">${body}</h1>` : url === '/table' ? table : (pages[url] ?? null),
  );
  browser = await browserFor([site.url]);
});

afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});

/** As the session does it: what is reviewed is what is done. */
async function run(operation: Operation, value?: Text) {
  await browser.observe(operation);
  return browser.perform(operation, value ?? ['value' in operation ? String(operation.value) : '']);
}
const go = (path: string) => run({ operation_type: 'navigate', value: site.url + path });
const done = { ok: true, value: null };

test('a form is filled, chosen in, sent and read, and the page hears of it as from a person [vault.sandbox.operation.navigate] [vault.sandbox.operation.fill] [vault.sandbox.operation.extract] [vault.sandbox.operation.pointer-and-keys]', async () => {
  expect(await go('/form')).toEqual(done);
  expect(browser.currentUrl()).toBe(`${site.url}/form`);
  expect(await run({ operation_type: 'fill', selector: '[name=user]', value: 'Ada & "co"' })).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: '#heard' })).toEqual({ ok: true, value: '1' });
  expect(await run({ operation_type: 'select', selector: 'select', value: 'Large' })).toEqual(done);
  expect(await run({ operation_type: 'press', selector: '[name=user]', value: 'Enter' })).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: '#done' })).toEqual({
    ok: true,
    value: 'user=Ada+%26+%22co%22&size=l',
  });
});

test('an element out of view is clicked, a hidden one waited for, a link followed [vault.sandbox.operation.wait]', async () => {
  await go('/form');
  expect(await run({ operation_type: 'click', selector: '#far' })).toEqual(done);
  expect(await run({ operation_type: 'extract', selector: '#far' })).toEqual({ ok: true, value: 'Clicked' });
  expect(await run({ operation_type: 'hover', selector: '#link' })).toEqual(done);
  expect(await run({ operation_type: 'scroll', selector: 'h1' })).toEqual(done);
  expect(await run({ operation_type: 'click', selector: '#link' })).toEqual(done);
  expect(browser.currentUrl()).toBe(`${site.url}/next`);
  expect(await run({ operation_type: 'wait', selector: '#later' })).toEqual(done);
  expect(await run({ operation_type: 'wait', value: 10 })).toEqual(done);
});

test('a script shares the document alone, and answers JSON [vault.sandbox.operation.execute-script]', async () => {
  await go('/form');
  const script = (value: string) => run({ operation_type: 'execute_script', value });
  expect(await script('return [document.title, typeof heard, (await Promise.resolve(2))]')).toEqual({
    ok: true,
    value: ['Form', 'object', 2],
  });
  expect(await script('const nothing = 1;')).toEqual(done);
  expect(await script('return typeof inPage')).toEqual({ ok: true, value: 'undefined' });
  for (const bad of ['throw new Error("no")', 'return "x".repeat(2_000_000)', 'return ('])
    expect(await script(bad)).toMatchObject({ ok: false, error: { code: 'script_failed' } });
});

test('what an operation would meet is told for the review', async () => {
  await go('/form');
  const seen = await browser.observe({ operation_type: 'fill', selector: '[name=user]', value: 'x' });
  expect(seen).toMatchObject({
    url: `${site.url}/form`,
    reading: null,
    target: {
      frameUrl: `${site.url}/form`,
      tag: 'input',
      type: 'text',
      autocomplete: 'username',
      names: ['Name', 'user'],
      visible: true,
      covered: false,
      link: null,
      form: { action: `${site.url}/session`, method: 'POST' },
    },
  });
  expect(seen.target?.form?.fields).toHaveLength(3);
  const read = await browser.observe({ operation_type: 'extract', selector: 'form' });
  expect(read.reading?.nodes).toBe(7);
});

test('a selector that matches nothing, a page out of scope and one that is not there are told apart', async () => {
  await go('/form');
  const problem = (code: string) => ({ ok: false, error: { code } });
  expect(await browser.perform({ operation_type: 'click', selector: '#no[' }, [])).toMatchObject(
    problem('no_such_element'),
  );
  for (const value of [
    'https://example.com/',
    'file:///etc/passwd',
    'chrome://version',
    'javascript:alert(1)',
  ])
    expect(await run({ operation_type: 'navigate', value })).toMatchObject(problem('out_of_scope'));
  expect(await run({ operation_type: 'navigate', value: 'nowhere' })).toMatchObject(
    problem('navigation_failed'),
  );
});

test('tables, lists of definitions and texts are read as a person sees them', async () => {
  await go('/table');
  expect(await browser.read(null)).toEqual({
    ok: true,
    value: {
      url: `${site.url}/table`,
      title: 'Orders',
      text: expect.stringMatching(/Sum[\s\S]*2\.50[\s\S]*London/),
      tables: [
        {
          rows: [
            ['No', 'Sum'],
            ['1', '2.50'],
          ],
        },
        {
          rows: [
            ['Owner', 'Ada'],
            ['Town', 'London'],
          ],
        },
      ],
    },
  });
  expect(await browser.read('dl')).toMatchObject({
    value: {
      tables: [
        {
          rows: [
            ['Owner', 'Ada'],
            ['Town', 'London'],
          ],
        },
      ],
    },
  });
  expect(await browser.read('#none')).toMatchObject({ ok: false, error: { code: 'no_such_element' } });
});
