import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OneSession, Sandbox } from '../fixtures/sandbox.ts';
import { openPlainBrowser } from '../fixtures/sites/plain-browser.ts';
import { type Site, startSite } from '../fixtures/sites/site.ts';
import { pagesOf, take, ways } from '../fixtures/sites/unjudged-pages.ts';

const pays = `<h1>Invoice 7</h1><form method="post" action="/pay/now"><label>To <input name="to" value="bob"></label>
  <p>Boxes: <output id="boxes">1</output></p><button id="more" type="button" onclick="boxes.value++; count.value = boxes.value">More</button>
  <input type="hidden" name="count" id="count" value="1"><button id="pay">Pay</button></form>`;
let sandbox: Sandbox;
let site: Site;

beforeAll(async () => {
  site = await startSite({ ...pagesOf(ways), '/pay': pays }, { otherwise: '<h1>Done</h1>' });
  sandbox = await Sandbox.start();
});
afterAll(async () => {
  await sandbox?.stop();
  await site?.stop();
});

const heard = () => site.received.map(({ method, path }) => `${method} ${path}`);
let session: OneSession | null = null;
async function open(path: string, task = 'Sign in and read the page'): Promise<OneSession> {
  session = await sandbox.open({ allowedUrls: [site.origin], startUrl: site.origin + path, task });
  site.received.length = 0;
  return session;
}
afterEach(async () => {
  await session?.close();
  session = null;
});

test('control: each of them works in a plain browser', async () => {
  const { context, close } = await openPlainBrowser(null);
  for (const [i, { plainly, sends }] of ways.entries()) {
    site.received.length = 0;
    const page = await context.newPage();
    await page.goto(`${site.origin}/page-${i}`);
    await plainly(page, site.origin).catch(() => undefined);
    await expect.poll(heard, { timeout: 5000 }).toContain(sends);
  }
  await close();
});

test.each(ways.map((way, i) => [way.name, way, `/page-${i}`] as const))(
  '%s sends nothing unasked [vault.review.act.at-the-request] [vault.review.act.by-looking] [vault.review.act.by-address] [vault.review.act.held]',
  async (_, way, path) => {
    const session = await open(path);
    await take(session, way, site.origin + path);
    // What is not to come cannot be waited for.
    await sleep(way.late ?? 150);
    expect(heard()).not.toContain(way.sends);
  },
);

const pay: Operation = { operation_type: 'click', selector: '#pay' };
const changes: readonly (readonly [string, Operation])[] = [
  ['who is paid', { operation_type: 'fill', selector: '[name=to]', value: 'eve' }],
  ['how much is bought', { operation_type: 'click', selector: '#more' }],
];

test.each(changes)(
  '%s is not changed while a person looks at the payment [vault.sandbox.approval.same-page]',
  async (_, change) => {
    const session = await open('/pay', 'Log in and pay invoice 7');
    const asked = await session.operate(pay);
    if (asked === 'over') throw new Error('the session is over');
    await session.do(change);
    expect(await session.decide(asked.operation_id, 'approve')).toMatchObject({
      status: 'rejected',
      review: { rules: expect.arrayContaining([expect.objectContaining({ rule: 'approval.page-changed' })]) },
    });
    expect(heard()).not.toContain('POST /pay/now');
    // What the person sees is what is sent.
    const again = await session.operate(pay);
    if (again === 'over') throw new Error('the session is over');
    expect(await session.decide(again.operation_id, 'approve')).toMatchObject({ status: 'executed' });
    expect(heard()).toContain('POST /pay/now');
  },
);

test('what a person agrees to three times at once is done once [vault.sandbox.approval.decide]', async () => {
  const session = await open('/pay', 'Log in and pay invoice 7');
  const asked = await session.operate(pay);
  if (asked === 'over') throw new Error('the session is over');
  await Promise.allSettled([1, 2, 3].map(() => session.decide(asked.operation_id, 'approve')));
  expect(heard().filter((one) => one === 'POST /pay/now')).toHaveLength(1);
});
