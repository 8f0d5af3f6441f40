import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';

/** Elements whose text hangs on what stands around them, each called by an id. */
const body = `<p>Above</p>before <b id="b"> in <i id="i"> a </i> line</b> after
<div style="text-transform: uppercase">Great<section id="upper">letters <span id="inner"> here</span></section></div>
<ul><li>one</li><li id="item"> two <ul><li id="nested">deep</li></ul></li></ul>
<table><tr><td>1</td><td id="cell"> a <br> b </td></tr><tr id="row"><td>x</td><td>y</td></tr></table>
<details><summary id="summary">More</summary><p id="closed">hidden  words</p></details>
<details open><summary>Less</summary><p id="open">shown  words</p></details>
<div style="display: inline">run<p style="display: inline" id="run"> on</p></div><pre id="pre">
 as   it
 stands</pre>
<div hidden>gone <p id="gone"> not  shown</p></div><div style="visibility: hidden"><p id="unseen">unseen<u style="visibility: visible">seen</u></p></div>
<form><fieldset id="set"><legend> Who </legend><label id="label">Name <input value="typed" id="input"></label></fieldset></form>
<div style="display: flex" id="flex"><span id="flexed"> a </span><span>b</span></div>
<div id="host"></div><p id="last">End</p>
<script>host.attachShadow({ mode: 'open' }).innerHTML = '<p id="shadowed"> in  the <b>dark</b></p>'</script>`;
const ids =
  'b i upper inner item nested cell row summary closed open run pre gone unseen set label input flex flexed last'.split(
    ' ',
  );

let site: Site;
let browser: OpenedBrowser;
beforeAll(async () => {
  site = await siteOf(() => `<!doctype html><title> A  title </title>${body}`);
  browser = await browserFor([site.url]);
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});

const run = async (operation: Operation, value = ''): Promise<unknown> => {
  await browser.observe(operation);
  const done = await browser.perform(operation, [value]);
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
};
const extract = (selector: string) => run({ operation_type: 'extract', selector });

test('of an element the same is read whether all of its page is laid out or what holds it alone [vault.sandbox.read.masked-copy]', async () => {
  await run({ operation_type: 'navigate', value: site.url }, site.url);
  const script = `return ${JSON.stringify(ids)}.map((id) => {
    const element = document.getElementById(id);
    return element.localName === 'input' ? element.value : element.innerText;
  })`;
  const whole = await run({ operation_type: 'execute_script', value: script }, script);
  const alone: unknown[] = [];
  for (const id of ids) alone.push(await extract(`#${id}`));
  expect(alone).toEqual(whole);
  expect(await extract('#shadowed')).toBe('in the dark');
  expect(await extract('title')).toBe(' A  title ');
  const all = String(await extract('body'));
  expect(all).toContain('GREAT\nLETTERS HERE');
  expect(all).toContain('End');
});

test('what a page changes is read at the next look, and what it leaves as it was at each [vault.sandbox.read.masked-copy]', async () => {
  const change = async (text: string) => {
    const script = `document.querySelector('#last').textContent = ${JSON.stringify(text)}`;
    const acts = { kind: 'acts', acts: [] } as never;
    const operation: Operation = { operation_type: 'execute_script', value: script };
    await browser.observe(operation);
    expect(await browser.perform(operation, [script], acts)).toMatchObject({ ok: true });
  };
  const read = 'const text = last.innerText; last.textContent = "of the script"; return text';
  for (const text of ['first', 'second', 'second', 'first']) {
    await change(text);
    expect(await extract('#last')).toBe(text);
    expect(await extract('#last')).toBe(text);
    expect(await run({ operation_type: 'execute_script', value: read }, read)).toBe(text);
    expect(await extract('#last')).toBe(text);
  }
});
