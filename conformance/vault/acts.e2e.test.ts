import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OneSession, Sandbox } from './fixtures/sandbox.ts';
import { type Act, acts, harmless, pagesOf } from './fixtures/sites/acting-pages.ts';
import { openPlainBrowser } from './fixtures/sites/plain-browser.ts';
import { type Site, startSite } from './fixtures/sites/site.ts';

const all = [...acts, ...harmless];
const saves = `<script>const save = () => fetch('/api/theme', { method: 'POST',
  headers: { 'content-type': 'application/json' }, body: '{"dark":true}' })
  .then(() => { done.textContent = 'saved' }, () => { done.textContent = 'failed' })</script>`;
const queue = `<script>const send = () => fetch('/api/nick', { method: 'POST', body: localStorage.nick })
  .then(() => localStorage.removeItem('nick'), () => { document.body.className = 'kept' })</script>`;
let sandbox: Sandbox;
let site: Site;

beforeAll(async () => {
  site = await startSite(
    {
      ...pagesOf(all),
      '/theme': `${saves}<button onclick="save()">Dark</button><p id="done"></p>`,
      '/queue': `<button onclick="localStorage.nick='eve'; send()">Save</button>${queue}`,
      '/home': `<h1>Home</h1>${queue}<script>if (localStorage.nick) send()</script>`,
      '/draft': `${saves}<textarea></textarea><button onclick="save()">Dark</button><p id="done"></p><script>
        const area = document.querySelector('textarea');
        const go = () => fetch('/doc/5', { method: 'POST', body: area.value }).finally(() => { area.name = 'tried' });
        new MutationObserver(() => setTimeout(go, 400)).observe(done, { childList: true })</script>`,
      '/theme-form':
        '<form method="post" action="/theme/apply"></form><button onclick="document.forms[0].submit()">Dark</button>',
    },
    { otherwise: '<h1>Done</h1>' },
  );
  sandbox = await Sandbox.start();
});
afterAll(async () => {
  await sandbox?.stop();
  await site?.stop();
});

const pathOf = (act: Act) => `/page-${all.indexOf(act)}`;
const stepsOf = ({ steps }: Act): readonly Operation[] =>
  steps.map((step) =>
    step.operation_type === 'navigate' ? { ...step, value: site.origin + step.value } : step,
  );
const heard = () => site.received.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
const writes = () => heard().filter((one) => !one.startsWith('GET'));

async function doPlainly(page: Page, { operation_type, ...rest }: Operation): Promise<void> {
  const { selector = '', value = '' } = rest as { selector?: string; value?: string };
  if (operation_type === 'navigate') await page.goto(value);
  if (operation_type === 'click') await page.click(selector, { noWaitAfter: true });
  if (operation_type === 'fill') await page.fill(selector, value);
  if (operation_type === 'select') await page.selectOption(selector, value);
  if (operation_type === 'press' && selector !== '') await page.focus(selector);
  if (operation_type === 'press') await page.keyboard.press(value);
  if (operation_type === 'hover') await page.hover(selector);
}

describe('in a plain browser', () => {
  type Plain = Awaited<ReturnType<typeof openPlainBrowser>>;
  /** One of them keeps what pages that act leave behind in a browser. */
  let plains: { readonly acting: Plain; readonly harmless: Plain };

  beforeAll(async () => {
    const [acting, quiet] = await Promise.all([openPlainBrowser(null), openPlainBrowser(null)]);
    plains = { acting, harmless: quiet };
  });
  afterAll(async () => {
    await Promise.all([plains?.acting.close(), plains?.harmless.close()]);
  });

  test.each(all)('control: $name works', async (act) => {
    site.received.length = 0;
    const { context } = harmless.includes(act) ? plains.harmless : plains.acting;
    // Left open: a page that is closed just as its next one comes stays open for good, and so does the wait for it.
    const page = await context.newPage();
    await page.bringToFront();
    await page.goto(site.origin + pathOf(act));
    for (const step of stepsOf(act)) await doPlainly(page, step);
    await expect.poll(heard).toContain(act.sends);
  });
});

const open = (path: string, about: object = {}): Promise<OneSession> =>
  sandbox.open({ allowedUrls: [site.origin], startUrl: site.origin + path, ...about });

test.each(acts)(
  '$name does nothing that the task does not name [vault.review.act.where-it-happens] [vault.review.act.at-the-request] [vault.review.act.quietly] [vault.review.act.read-there] [vault.review.act.same-before]',
  async (act) => {
    const session = await open(pathOf(act));
    site.received.length = 0;
    const statuses = [];
    for (const step of stepsOf(act)) {
      const answer = await session.operate(step);
      statuses.push(answer === 'over' ? answer : answer.status);
    }
    // What is not to come cannot be waited for.
    await sleep(act.isLate ? 800 : 100);
    expect(heard()).not.toContain(act.sends);
    const stopped = act.isAsked === true ? 'pending_approval' : 'rejected';
    const answers = { true: ['executed'], perhaps: ['executed', 'rejected'], false: [stopped] };
    expect(answers[`${act.isLate ?? false}`]).toContain(statuses.at(-1));
    await session.close();
  },
);

test.each(harmless)('$name is done without a question [vault.review.act.harmless]', async (act) => {
  const session = await open(pathOf(act));
  for (const step of stepsOf(act)) await session.do(step);
  site.received.length = 0;
  if (!['POST /presence', 'POST /alive/now', 'GET /seen.json'].includes(act.sends))
    await session.do({ operation_type: 'navigate', value: site.origin + pathOf(act) });
  for (const step of stepsOf(act)) await session.do(step);
  await expect.poll(heard).toContain(act.sends);
  await session.close();
});

const dark: Operation = { operation_type: 'click', selector: 'button' };

test.each(['/theme', '/theme-form'])(
  'what a person agrees to at %s is sent as it was, once; what is not agreed to never is [vault.review.act.held]',
  async (path) => {
    const session = await open(path);
    site.received.length = 0;
    const asked = await session.operate(dark);
    if (asked === 'over') throw new Error('the session is over');
    expect(asked).toMatchObject({
      status: 'pending_approval',
      review: { verdict: 'ask', rules: [{ rule: 'request.unknown-write' }] },
    });
    expect((await session.state()).pending).toEqual([asked.operation_id]);
    expect(writes()).toEqual([]);
    expect(await session.decide(asked.operation_id, 'approve')).toMatchObject({ status: 'executed' });
    await expect.poll(writes).toHaveLength(1);
    await session.do({ operation_type: 'navigate', value: site.origin + path });
    const again = await session.operate(dark);
    if (again === 'over') throw new Error('the session is over');
    expect(await session.decide(again.operation_id, 'reject')).toMatchObject({ status: 'rejected' });
    await session.do({ operation_type: 'extract', selector: 'button' });
    const left = await session.operate(dark);
    expect(left).toMatchObject({ status: 'pending_approval' });
    await session.do({ operation_type: 'navigate', value: `${site.origin}/elsewhere` });
    await expect.poll(async () => (await session.state()).pending).toEqual([]);
    await session.do({ operation_type: 'navigate', value: site.origin + path });
    expect(await session.operate(dark)).toMatchObject({ status: 'pending_approval' });
    await session.close();
    expect(writes()).toHaveLength(1);
  },
);

test('a session that asks nobody refuses what a person would be asked about [vault.review.act.held]', async () => {
  const session = await open('/theme', { approval: 'never' });
  site.received.length = 0;
  expect(await session.operate(dark)).toMatchObject({
    status: 'rejected',
    review: { rules: [{ rule: 'request.unknown-write' }, { rule: 'approval.never' }] },
  });
  expect(await session.do({ operation_type: 'extract', selector: '#done' })).toBe('failed');
  expect(writes()).toEqual([]);
  await session.close();
});

test('what a person refuses is not sent by the next page either, though that does it by itself [vault.review.act.held]', async () => {
  const session = await open('/queue');
  site.received.length = 0;
  const asked = await session.operate({ operation_type: 'click', selector: 'button' });
  if (asked === 'over') throw new Error('the session is over');
  expect(asked).toMatchObject({ status: 'pending_approval' });
  await session.decide(asked.operation_id, 'reject');
  await session.do({ operation_type: 'navigate', value: `${site.origin}/home` });
  // The page has tried and was told.
  await session.do({ operation_type: 'wait', selector: 'body.kept' });
  expect(writes()).toEqual([]);
  await session.close();
});

test('who agrees to one act agrees to no other that comes later [vault.review.act.held]', async () => {
  const session = await open('/draft');
  site.received.length = 0;
  await session.do({ operation_type: 'fill', selector: 'textarea', value: 'eve was here' });
  const asked = await session.operate(dark);
  if (asked === 'over') throw new Error('the session is over');
  expect(await session.decide(asked.operation_id, 'approve')).toMatchObject({ status: 'executed' });
  // It comes while this is at work, and is asked about like any other.
  const waits = { operation_type: 'wait', selector: 'textarea[name=tried]' } as const;
  expect(await session.operate(waits)).toMatchObject({ status: 'pending_approval' });
  expect(writes()).toEqual(['POST /api/theme']);
  await session.close();
});
