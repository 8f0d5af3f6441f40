import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '@countersign/protocol/vault/operation';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';
import { workHere } from '../session/worker/here.ts';
import { copyWith } from '../session/worker/copy-page.ts';
import { SessionWorker } from '../session/worker/session-worker.ts';

/** What the page does when its button is pressed, one after the other; and how the next copy comes to be. */
const steps = [
  ['change', `document.querySelector('p').textContent = 'Two of them'`],
  ['change', `document.querySelector('#name').value = 'Ada'`],
  ['change', `document.querySelector('p').className = 'done'; document.title = 'Done'`],
  ['change', `document.querySelector('p').textContent = 'Your key: Tr0ub4dor-3xyz'`],
  ['change', `document.querySelector('div').shadowRoot.querySelector('b').textContent = 'open'`],
  ['change', `document.querySelector('iframe').contentDocument.body.firstChild.data = 'within'`],
  ['build', `document.querySelector('p').append(' and more')`],
  ['build', `document.querySelector('p').style.display = 'none'`],
  ['build', `document.querySelector('#box').checked = true`],
  ['build', `document.querySelector('#name').type = 'password'`],
  ['build', `document.querySelector('#name').removeAttribute('placeholder')`],
  ['build', `document.querySelector('option').textContent = 'Other'`],
  ['change', `document.querySelector('#name').value = 'Tr0ub4dor-3xyz'`],
] as const;

const page = `<!doctype html><title>Orders</title><p class="open">One of them</p><div></div>
<input id="name" placeholder="Name"><input id="box" type="checkbox"><select><option>One</option></select>
<iframe srcdoc="<body>inner"></iframe><button onclick="next()">Next</button>
<script>
document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<b>shut</b>';
const steps = [${steps.map(([, step]) => `() => { ${step} }`).join(', ')}];
const next = () => steps.shift()();
</script>`;

let site: Site;
let browser: OpenedBrowser;
const sources: string[] = [];
beforeAll(async () => {
  const worker = new SessionWorker(workHere);
  worker.add(Buffer.from('Tr0ub4dor-3xyz'), 'secret');
  site = await siteOf(() => page);
  browser = await browserFor([site.url], {
    copyPage: async (request) => {
      const copy = await copyWith(worker)(request);
      sources.push(/^inPage\.(\w+)/.exec(Buffer.from(copy.source).toString())?.[1] ?? 'nothing');
      return copy;
    },
  });
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});

async function perform(operation: Operation): Promise<unknown> {
  await browser.observe(operation);
  const value = 'value' in operation ? String(operation.value) : '';
  const done = await browser.perform(operation, [value]);
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

const everything: Operation = {
  operation_type: 'execute_script',
  value: `const fields = [...document.querySelectorAll('input')];
    return [document.title, document.documentElement.outerHTML, document.body.innerText,
      fields.map(({ value, checked, type }) => [value, checked, type]),
      document.querySelector('div').shadowRoot.innerHTML, document.querySelector('iframe').contentDocument.body.innerHTML,
      document.querySelectorAll('.done').length]`,
};

test('a copy that is made of the one before is what it would be if it were made anew, and the little that is another is masked [vault.sandbox.read.changed-copy]', async () => {
  await perform({ operation_type: 'navigate', value: site.url });
  for (const [how, step] of steps) {
    await perform({ operation_type: 'click', selector: 'button' });
    sources.length = 0;
    const after = await perform(everything);
    // A script is the end of its copy.
    const anew = await perform(everything);
    expect({ step, after, sources }).toEqual({ step, after: anew, sources: [how, 'build'] });
    expect(JSON.stringify(after)).not.toContain('Tr0ub4dor');
  }
});

test('a copy of a page that is as it was is not built again, though the page was loaded anew [vault.sandbox.read.changed-copy]', async () => {
  await perform({ operation_type: 'navigate', value: site.url });
  expect(await perform({ operation_type: 'extract', selector: 'p' })).toBe('One of them');
  sources.length = 0;
  expect(await perform({ operation_type: 'extract', selector: 'p' })).toBe('One of them');
  await perform({ operation_type: 'navigate', value: site.url });
  expect(await perform({ operation_type: 'extract', selector: 'p' })).toBe('One of them');
  expect(sources).not.toContain('build');
});
