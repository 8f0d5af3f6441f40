import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OneSession, Sandbox } from './fixtures/sandbox.ts';
import { openPlainBrowser } from './fixtures/sites/plain-browser.ts';
import { type Site, startSite } from './fixtures/sites/site.ts';

/** A list of payees that scrolls, as on a telephone: what stands in the middle is chosen, and a script keeps which. */
const payees = (event: 'scroll' | 'resize') => `<h1>Invoice 7</h1><button id="pay"
  onclick="fetch('/pay/now', { method: 'POST', body: to })">Pay</button><script>let to = 'bob';
  addEventListener('${event}', () => { to = 'eve' })</script><p id="terms">All of it</p>
  <div style="height: 3000px">Terms</div><button id="end">Delete account</button>`;

const pay: Operation = { operation_type: 'click', selector: '#pay' };
let sandbox: Sandbox;
let site: Site;
beforeAll(async () => {
  const pages = { '/scroll': payees('scroll'), '/resize': payees('resize') };
  site = await startSite(pages, { otherwise: '<h1>Done</h1>' });
  sandbox = await Sandbox.start();
});
afterAll(async () => {
  await sandbox?.stop();
  await site?.stop();
});
const paid = () => site.received.filter(({ method }) => method === 'POST').map(({ body }) => body);

test('control: what was scrolled to is paid in a plain browser', async () => {
  site.received.length = 0;
  const { context, close } = await openPlainBrowser(null);
  const page = await context.newPage();
  await page.goto(`${site.origin}/scroll`);
  await page.locator('#end').scrollIntoViewIfNeeded();
  await page.waitForFunction('to === "eve"');
  await page.click('#pay');
  await expect.poll(paid).toEqual(['eve']);
  await close();
});

async function payAfter(path: string, look: (session: OneSession) => Promise<unknown>) {
  const session = await sandbox.open({
    allowedUrls: [site.origin],
    startUrl: site.origin + path,
    task: 'Log in and pay invoice 7',
  });
  site.received.length = 0;
  const asked = await session.operate(pay);
  if (asked === 'over') throw new Error('the session is over');
  expect(asked.status).toBe('pending_approval');
  await look(session);
  const { status, review } = await session.decide(asked.operation_id, 'approve');
  return { session, status, rules: review?.rules.map(({ rule }) => rule) };
}

const looks: readonly (readonly [string, string, (session: OneSession) => Promise<unknown>])[] = [
  ['scrolling', '/scroll', (session) => session.operate({ operation_type: 'scroll', selector: '#end' })],
  [
    'a click that is rejected, and scrolls before',
    '/scroll',
    (session) => session.operate({ operation_type: 'click', selector: '#end' }),
  ],
  ['a picture of the whole page', '/resize', (session) => session.screenshot({ fullPage: true })],
];
test.each(looks)(
  'a person agreed to pay bob, and after %s nobody is paid [vault.sandbox.approval.same-page]',
  async (_, path, look) => {
    const { session, ...told } = await payAfter(path, look);
    expect(told).toEqual({
      status: 'rejected',
      rules: expect.arrayContaining(['approval.page-changed']),
    });
    await session.close();
    // Its browser is gone: nothing comes any more.
    expect(paid()).toEqual([]);
  },
);

const glances: typeof looks = [
  ['a picture of what is in view', '/scroll', (session) => session.screenshot()],
  ['reading', '/scroll', (session) => session.operate({ operation_type: 'extract', selector: '#terms' })],
  ['a second question about what is in view', '/scroll', (session) => session.operate(pay)],
];
test.each(glances)(
  'to look without a hand in the page takes no agreement back: %s [vault.sandbox.approval.same-page]',
  async (_, path, look) => {
    const { session, status } = await payAfter(path, look);
    expect(status).toBe('executed');
    await expect.poll(paid).toEqual(['bob']);
    await session.close();
  },
);
