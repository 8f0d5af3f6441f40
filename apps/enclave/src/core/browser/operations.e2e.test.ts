import type { Operation } from '@countersign/protocol/vault/operation';
import type { ScriptReading } from '@countersign/review/script/read';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';
import type { Text } from './browser.ts';

const pages: Record<string, string> = {
  '/form': `<title>Form</title><h1>Form</h1><form method="post" action="/session">
    <label>Name <input name="user" autocomplete="username" oninput="heard.textContent += 1"></label>
    <select name="size"><option value="s">Small</option><option value="l">Large</option></select>
    <button>Send</button></form><p id="heard"></p>
    <a href="/next" id="link">Next</a><div style="height:3000px"></div><button id="far" onclick="this.textContent='Clicked'">Far</button>`,
  '/acts': `<button id="one" onclick="heard.textContent = 'Clicked'">Continue</button>
    <button id="two" aria-label="Remove"><svg id="icon" width="20" height="20"></svg></button>
    <form method="post" action="/go"><input name="why"><button formaction="/other">Erase</button></form><p id="heard"></p>`,
  '/next':
    '<h1>Next page</h1><button id="later" hidden>Later</button><script>setTimeout(() => later.hidden = false, 300)</script>',
};

pages['/windows'] = `<h1 id="done" hidden>Done</h1><script>
  let opened = 0
  const again = () => {
    open('about:blank').close()
    opened += 1
    if (opened < 100) setTimeout(again, 10)
    else done.hidden = false
  }
  onload = again</script>`;

const table = `<title>Orders</title><table><tr><th>No</th><th>Sum</th></tr><tr><td>1</td><td>2.50</td></tr></table>
  <dl><dt>Owner</dt><dd>Ada</dd><dt>Town</dt><dd>London</dd></dl>`;

pages['/held'] =
  '<textarea id="area">Tr0ub4dor-3xyz</textarea><input id="input" value="Tr0ub4dor-3xyz"><div id="rich" contenteditable>Tr0ub4dor<b>-3xyz</b></div>' +
  '<input id="count" type="number" value="12345678"><input id="other">' +
  '<select id="list"><option>choose<option>Tr0ub4dor-3xyz<option>other</select>';

let site: Site;
let browser: OpenedBrowser;
/** What scripts of the page wait for. */
let turn = '';

beforeAll(async () => {
  site = await siteOf(({ method, url, body }) => {
    if (url === '/turn') return turn;
    return method === 'POST' ? `<h1 id="done">${body}</h1>` : url === '/table' ? table : (pages[url] ?? null);
  });
  browser = await browserFor([site.url]);
});

afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});

/** As the session does it: what is reviewed is what is done. */
async function run(operation: Operation, value?: Text, script?: ScriptReading) {
  await browser.observe(operation);
  return browser.perform(operation, value ?? ['value' in operation ? String(operation.value) : ''], script);
}
const go = (path: string) => run({ operation_type: 'navigate', value: site.url + path });
const done = { ok: true, value: null };
const script = (value: string) => run({ operation_type: 'execute_script', value });
/** A script that a person agreed to, in the page itself. */
const act = (value: string) =>
  run({ operation_type: 'execute_script', value }, [value], { kind: 'acts', acts: [] });

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

test('an element is waited for while the page opens and closes windows [vault.sandbox.operation.wait]', async () => {
  expect(await go('/windows')).toEqual(done);
  expect(await run({ operation_type: 'wait', selector: '#done' })).toEqual(done);
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

test('a script shares the document alone, and answers JSON [vault.sandbox.operation.execute-script] [vault.enclave.bounded-work]', async () => {
  await go('/form');
  expect(await script('return [document.title, typeof heard, (await Promise.resolve(2))]')).toEqual({
    ok: true,
    value: ['Form', 'object', 2],
  });
  expect(await script('const nothing = 1;')).toEqual(done);
  expect(await script('return typeof inPage')).toEqual({ ok: true, value: 'undefined' });
  const deep = 'let deep = 0; for (let i = 0; i < 65; i += 1) deep = [deep]; return deep';
  for (const bad of ['throw new Error("no")', 'return "x".repeat(2_000_000)', 'return (', deep])
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
  expect(seen.target?.form?.fields.map(({ tag, visible }) => [tag, visible])).toEqual([
    ['input', true],
    ['select', true],
    ['button', true],
  ]);
  const read = await browser.observe({ operation_type: 'extract', selector: 'form' });
  expect(read.reading?.nodes).toBe(7);
});

/** A script that does this when the site says that it is its turn, and then asks for that. */
const later = (what: string, path: string): string =>
  `const timer = setInterval(async () => {
    if ((await (await fetch('/turn')).text()) !== '${path}') return;
    clearInterval(timer);
    ${what};
    fetch('${path}');
  }, 20)`;
const asked = () => site.received.map(({ url }) => url);

test('a button that is called otherwise by the time of the click is not clicked; nor is a key pressed that would go elsewhere [vault.review.act.where-it-happens]', async () => {
  await go('/acts');
  const click = { operation_type: 'click', selector: '#one' } as const;
  await browser.observe(click);
  await act("document.querySelector('#one').textContent = 'Delete'");
  const interrupted = { ok: false, error: { code: 'interrupted' } };
  const seen = await browser.observe(click);
  expect(seen.target?.names).toContain('Delete');
  await act(later("document.querySelector('#one').textContent = 'Continue'", '/renamed'));
  await browser.observe(click);
  turn = '/renamed';
  await expect.poll(asked).toContain(turn);
  expect(await browser.perform(click, [])).toMatchObject(interrupted);
  const enter = { operation_type: 'press', value: 'Enter' } as const;
  await run({ operation_type: 'press', selector: '#one', value: 'Tab' });
  const focused = await browser.observe(enter);
  expect(focused.target).toMatchObject({ tag: 'button', names: ['Remove', 'two'] });
  await act(later("document.querySelector('#one').focus()", '/focused'));
  await browser.observe(enter);
  turn = '/focused';
  await expect.poll(asked).toContain(turn);
  expect(await browser.perform(enter, ['Enter'])).toMatchObject(interrupted);
  expect(await run({ operation_type: 'extract', selector: '#heard' })).toEqual({ ok: true, value: '' });
});

test('what a click on a part of a button, or Enter in a field, would do is told for the review [vault.review.act.where-it-happens]', async () => {
  await go('/acts');
  const icon = await browser.observe({ operation_type: 'click', selector: '#icon' });
  expect(icon.target).toMatchObject({ tag: 'button', names: ['Remove', 'two', 'icon'] });
  const field = await browser.observe({ operation_type: 'press', selector: '[name=why]', value: 'Enter' });
  expect(field.target).toMatchObject({
    tag: 'input',
    form: { action: `${site.url}/other`, method: 'POST', submitter: { names: ['Erase'] } },
  });
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

test('a field that holds a secret is not changed letter by letter, nor is a list chosen from by it [vault.sandbox.masking.parts]', async () => {
  const secret = 'Tr0ub4dor-3xyz';
  const masking = await browserFor([site.url], {
    mask: async (texts) => texts.map((text) => text.replaceAll(secret, '███').replaceAll('12345678', '███')),
  });
  const does = async (operation: Operation) => {
    await masking.observe(operation);
    return masking.perform(operation, ['value' in operation ? String(operation.value) : '']);
  };
  const press = (selector: string, value: string) => does({ operation_type: 'press', selector, value });
  await does({ operation_type: 'navigate', value: `${site.url}/held` });
  for (const field of ['#area', '#input', '#rich'])
    for (const key of ['_', 'Backspace', 'Delete', 'Shift+A'])
      expect(await press(field, key)).toMatchObject({ ok: false, error: { code: 'not_permitted' } });
  expect(await press('#count', 'ArrowUp')).toMatchObject({ ok: false, error: { code: 'not_permitted' } });
  expect(await press('#area', 'Home')).toEqual(done);
  expect(await press('#other', 'x')).toEqual(done);
  // A list goes to what begins with a letter, and tells by that how what is masked begins.
  expect(await press('#list', 'T')).toMatchObject({ ok: false, error: { code: 'not_permitted' } });
  const choose = (value: string) => does({ operation_type: 'select', selector: '#list', value });
  // The right guess is answered like a wrong one.
  expect(await choose(secret)).toEqual(await choose('Wr0ng-guess-3x'));
  expect(await choose('other')).toEqual(done);
  expect(await does({ operation_type: 'fill', selector: '#area', value: 'mine' })).toEqual(done);
  expect(await press('#area', 'Backspace')).toEqual(done);
  expect(await does({ operation_type: 'extract', selector: '#area' })).toMatchObject({ value: 'min' });
  await masking.close();
  await masking.stop();
});
