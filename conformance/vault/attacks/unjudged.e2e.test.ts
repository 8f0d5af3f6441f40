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
/** What the page does by itself as soon as it is told that a person looks. */
const polls = (change: string) =>
  `${pays}<script>const polls = setInterval(async () => { if ((await (await fetch('/looks')).text()) !== 'yes') return;
    clearInterval(polls); ${change}; document.title = 'changed' }, 50)</script>`;
const byItself = {
  '/pays-who': polls(`document.forms[0].to.value = 'eve'`),
  '/pays-count': polls('count.value = 9'),
  '/pays-shown': polls('boxes.value = 9'),
};
const renewed = polls(`token.value = '77aa0c1d'`).replace(
  '<button id="pay">',
  '<input type="hidden" name="csrf_token" id="token" value="3b5c9a0f"><button id="pay">',
);
let looks = 'no';
let sandbox: Sandbox;
let site: Site;

beforeAll(async () => {
  site = await startSite(
    {
      ...pagesOf(ways),
      '/pay': pays,
      ...byItself,
      '/pays-renewed': renewed,
      '/looks': () => ({ body: looks }),
    },
    { otherwise: '<h1>Done</h1>' },
  );
  sandbox = await Sandbox.start();
});
afterAll(async () => {
  await sandbox?.stop();
  await site?.stop();
});

const heard = () =>
  site.received.map(({ method, path, headers }) =>
    [method, path, headers['x-amz-target']].filter((part) => part !== undefined).join(' '),
  );
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
    await expect.poll(heard).toContain(sends);
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

test('a page that sends on to another by a script is left for it [vault.review.act.by-address]', async () => {
  const session = await open('/page-0');
  expect(
    await session.operate({ operation_type: 'navigate', value: `${site.origin}/moves-home` }),
  ).toMatchObject({ status: 'executed' });
  await expect.poll(heard).toContain('GET /home');
});

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

async function askAndChange(path: string) {
  looks = 'no';
  const session = await open(path, 'Log in and pay invoice 7');
  const asked = await session.operate(pay);
  if (asked === 'over') throw new Error('the session is over');
  looks = 'yes';

  await expect
    .poll(() => session.do({ operation_type: 'execute_script', value: 'return document.title' }))
    .toBe('changed');
  return session.decide(asked.operation_id, 'approve');
}

test.each(Object.keys(byItself))(
  'what the page at %s changes by itself while a person looks is not paid [vault.sandbox.approval.same-page]',
  async (path) => {
    expect(await askAndChange(path)).toMatchObject({
      status: 'rejected',
      review: { rules: expect.arrayContaining([expect.objectContaining({ rule: 'approval.page-changed' })]) },
    });
    expect(heard()).not.toContain('POST /pay/now');
  },
);

test('a token against forgery may be renewed while a person looks [vault.sandbox.approval.same-page]', async () => {
  expect(await askAndChange('/pays-renewed')).toMatchObject({ status: 'executed' });
  expect(heard()).toContain('POST /pay/now');
});

test('what a person agrees to three times at once is done once [vault.sandbox.approval.decide]', async () => {
  const session = await open('/pay', 'Log in and pay invoice 7');
  const asked = await session.operate(pay);
  if (asked === 'over') throw new Error('the session is over');
  await Promise.allSettled([1, 2, 3].map(() => session.decide(asked.operation_id, 'approve')));
  expect(heard().filter((one) => one === 'POST /pay/now')).toHaveLength(1);
});
