import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lent, Sandbox } from './fixtures/sandbox.ts';
import { openPlainBrowser } from './fixtures/sites/plain-browser.ts';
import {
  draftOfPart,
  keptForms,
  type ReusedForm,
  reusedForms,
  toldAgain,
} from './fixtures/sites/reused-forms.ts';
import { type Site, startSite } from './fixtures/sites/site.ts';

const secret = 'Kx7-ultramarine-44q';

let sandbox: Sandbox;
let site: Site;
let lent: Lent;
let html = '';
beforeAll(async () => {
  site = await startSite(
    { '/at': ({ method }) => ({ body: method === 'GET' ? html : '<h1>Done</h1>' }) },
    { otherwise: '<h1>Done</h1>' },
  );
  sandbox = await Sandbox.start();
  const login = { username: 'ada', password: secret };
  lent = await sandbox.lend('username_password', login, 'network', [site.origin]);
});
afterAll(async () => {
  await sandbox?.stop();
  await site?.stop();
});

const serve = (one: ReusedForm): string => {
  site.received.length = 0;
  html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${one.html}`;
  return `${site.origin}/at`;
};
const got = () =>
  site.received.filter(({ body }) => body.includes(secret)).map(({ method, path }) => `${method} ${path}`);

test.each([...reusedForms, ...keptForms])(
  'control: in a plain browser the password is sent: $name',
  async (one) => {
    const { context, close } = await openPlainBrowser(null);
    const page = await context.newPage();
    await page.goto(serve(one));
    await page.fill('#user', 'ada');
    await page.fill('#pw', secret);
    for (const selector of one.clicks) await page.click(selector);
    await expect.poll(got).toEqual([one.sent]);
    await close();
  },
);

test('control: in a plain browser a page tells again what it was told to log in', async () => {
  const { context, close } = await openPlainBrowser(null);
  const page = await context.newPage();
  await page.goto(serve(toldAgain));
  await page.fill('#user', 'ada');
  await page.fill('#pw', secret);
  await page.click('#go');
  await page.fill('#name', 'ada');
  await page.click('#post');
  await expect.poll(got).toEqual(['POST /session', 'POST /v1/items']);
  await close();
});

/** What was answered to the last click, as far as it got, and what the site got. */
async function fillAndClick(one: ReusedForm) {
  const startUrl = serve(one);
  const session = await sandbox.open({
    allowedUrls: [site.origin],
    startUrl,
    credentials: [lent.named],
    task: 'Log in and read',
  });
  await session.do({ operation_type: 'fill', selector: '#user', value: 'ada' });
  const value = '{{CREDENTIAL.password}}';
  await session.do({ operation_type: 'fill', selector: '#pw', value }, lent);
  let answer: Awaited<ReturnType<typeof session.operate>> = 'over';
  for (const selector of one.clicks) answer = await session.operate({ operation_type: 'click', selector });
  return { answer, session };
}

type Answered = Awaited<ReturnType<typeof fillAndClick>>;

/**
 * What stopped it. A page may hear of a new fragment when the operation is over: the next one waits then, or the page shows that its
 * request was refused.
 */
async function stoppedBy({ answer, session }: Answered, one: ReusedForm): Promise<string> {
  const status = answer === 'over' ? answer : answer.status;
  if (one !== draftOfPart || status !== 'executed') return status;
  const next = await session.operate({ operation_type: 'wait', selector: '#refused' });
  if (next === 'over') return next;
  return next.status === 'executed' ? 'rejected' : next.status;
}

test.each(reusedForms)(
  'a password that was filled in to log in is not sent unasked where: $name [vault.review.request.field-kept]',
  async (one) => {
    const { answer, session } = await fillAndClick(one);
    expect(await stoppedBy({ answer, session }, one)).toMatch(/^(pending_approval|rejected)$/);
    expect(got()).toEqual([]);
    await session.close();
    expect(got()).toEqual([]);
  },
);

test.each(keptForms)('control: it is, without a question, by $name [vault.review.logins]', async (one) => {
  const { answer, session } = await fillAndClick(one);
  expect(answer).toMatchObject({ status: 'executed' });
  await expect.poll(got).toEqual([one.sent]);
  await session.close();
});

test('going to a part of the page is no log-in either: what it sets off waits [vault.review.request.field-kept]', async () => {
  const { session } = await fillAndClick({ ...draftOfPart, clicks: [] });
  const value = `${site.origin}/at#guestbook`;
  const answer = await session.operate({ operation_type: 'navigate', value });
  expect(await stoppedBy({ answer, session }, draftOfPart)).toMatch(/^(pending_approval|rejected)$/);
  await session.close();
  expect(got()).toEqual([]);
});

test('what was sent to log in is not told again to a guest book beside the name [vault.review.request.field-kept]', async () => {
  const { session } = await fillAndClick(toldAgain);
  await expect.poll(got).toEqual(['POST /session']);
  const name = '{{CREDENTIAL.username}}';
  await session.do({ operation_type: 'fill', selector: '#name', value: name }, lent);
  const answer = await session.operate({ operation_type: 'click', selector: '#post' });
  expect(answer).toMatchObject({ status: expect.stringMatching(/^(pending_approval|rejected)$/) });
  await session.close();
  expect(got()).toEqual(['POST /session']);
});

test('who agrees sends it: the question says which secret it is, of which field, and where it would go [vault.review.request.field-kept.question]', async () => {
  const [, one] = reusedForms;
  if (one === undefined) throw new Error('no page');
  const { answer, session } = await fillAndClick(one);
  if (answer === 'over') throw new Error('over');
  expect(answer.review.rules.map(({ rule }) => rule)).toContain('request.field-changed');
  const asked = await session.approval(answer.operation_id);
  expect(asked.secrets).toEqual([
    {
      credentialId: lent.named.credentialId,
      field: 'password',
      place: { origin: site.origin, path: '/comments', method: 'POST', field: 'password' },
    },
  ]);
  expect(await session.decide(answer.operation_id, 'approve')).toMatchObject({ status: 'executed' });
  await expect.poll(got).toEqual([one.sent]);
  await session.close();
});

test('that a click was agreed to agrees to no secret: it is asked about again, and a no sends nothing [vault.review.request.field-kept.question]', async () => {
  const one = reusedForms.find(({ name }) => name.startsWith('a form that is sent to its own page'));
  if (one === undefined) throw new Error('no page');
  const { answer, session } = await fillAndClick(one);
  if (answer === 'over') throw new Error('over');
  expect(answer.review.rules.map(({ rule }) => rule)).toEqual(['intent.form']);
  const clicked = await session.decide(answer.operation_id, 'approve');
  expect(clicked.status).toBe('pending_approval');
  expect(clicked.review.rules.map(({ rule }) => rule)).toContain('request.field-changed');
  expect((await session.approval(answer.operation_id)).secrets).toMatchObject([
    { field: 'password', place: { path: '/at', method: 'POST', field: 'password' } },
  ]);
  expect(got()).toEqual([]);
  await session.decide(answer.operation_id, 'reject');
  await session.close();
  expect(got()).toEqual([]);
});
