import { expectOk } from '@countersign/local/dashboard-account';
import { paymentMandateTypes } from '@countersign/protocol/gateway/payment-mandate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForApproval } from './fixtures/approvals.ts';
import { narrow, signIn, startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible, sideways } from './fixtures/looks.ts';
import { photograph } from './fixtures/photograph.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

async function newPayer() {
  const owner = await world.newOwner();
  const { token } = owner;
  const { apiKey } = expectOk('key', await world.dashboard.createKey({ token, body: { name: 'gateway' } }));
  const find = async (approvalId: string) => {
    const body = { apiKey, approvalId };
    return expectOk('get', await world.dashboard.getApproval({ body })).approval;
  };
  return { owner, apiKey, find };
}

test('a payment appears in the open inbox; the owner reads what will be signed, signs it, and the gateway has it [dashboard.approvals.console-inbox] [dashboard.console.approvals.signed-fields]', async () => {
  const { owner, apiKey, find } = await newPayer();
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await page.goto('/approvals');
  await page.getByText('Nothing is waiting for you').waitFor();

  const message = await askForApproval(world, owner, apiKey);
  const card = page.getByRole('article', { name: 'get_annual_report' });
  await card.waitFor({ timeout: 30_000 });
  await card.getByText('12.50 USDC').waitFor();
  await card.getByText('of the service market-data').waitFor();
  await card.getByText('Over your limit per payment').waitFor();
  await card.getByText(/^1[34]:\d\d left$/).waitFor();

  await card.getByRole('button', { name: 'Review and sign' }).click();
  const review = page.getByRole('dialog', { name: 'Review and sign' });
  await review.getByRole('definition').first().waitFor();
  const shown = await review.getByRole('definition').allTextContents();
  expect(shown.slice(0, -1)).toEqual(paymentMandateTypes.PaymentMandate.map(({ name }) => message[name]));
  await expectAccessible(page, 'Sign approval');

  owner.testWallet.declines = new Set(['eth_signTypedData_v4']);
  await review.getByRole('button', { name: 'Sign with wallet' }).click();
  await review.getByRole('alert').getByText('You declined in your wallet. Nothing was signed.').waitFor();
  expect((await find(message.approvalId)).state).toBe('pending');
  owner.testWallet.declines = new Set();
  await review.getByRole('button', { name: 'Sign with wallet' }).click();
  await page.getByText('Payment approved. Your agent can make it.').waitFor();
  await page.getByText('Nothing is waiting for you').waitFor();
  const { state, signature } = await find(message.approvalId);
  expect([state, signature]).toEqual(['approved', expect.stringMatching(/^0x[0-9a-f]{130}$/)]);
  await page.getByRole('link', { name: 'Approved' }).click();
  await page.getByRole('link', { name: 'get_annual_report' }).waitFor();
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('from the link in the challenge the owner rejects a payment with a reason, which stays with it [dashboard.approvals.console-inbox] [dashboard.console.approvals.link]', async () => {
  const { owner, apiKey, find } = await newPayer();
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  const { approvalId } = await askForApproval(world, owner, apiKey);
  await page.goto(`/approvals/${approvalId}`);
  await page.getByRole('button', { name: 'Continue with Test Wallet' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payment request' }).waitFor();

  await page.getByRole('button', { name: 'Reject' }).click();
  const question = page.getByRole('dialog', { name: 'Reject this payment?' });
  await expectAccessible(page, 'Reject approval');
  await question.getByLabel('Reason').fill('Too dear for one report.');
  await page.keyboard.press('Enter');
  await page.getByText('Payment rejected. Nothing was paid.').waitFor();
  await page.getByText('Too dear for one report.').waitFor();
  expect(await find(approvalId)).toMatchObject({
    state: 'rejected',
    rejectReason: 'Too dear for one report.',
    signature: null,
  });
  expect(await page.getByRole('button', { name: 'Review and sign' }).count()).toBe(0);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('on a phone the inbox is one tap away, and the whole approval is read and signed there [dashboard.approvals.console-inbox]', async () => {
  const { owner, apiKey, find } = await newPayer();
  const visit = await world.visit({ wallet: owner.testWallet, viewport: narrow });
  const { page } = visit;
  await signIn(visit);
  const { approvalId } = await askForApproval(world, owner, apiKey);
  await page.getByRole('link', { name: 'Approvals 1 waiting for you' }).click();
  await page.getByRole('article', { name: 'get_annual_report' }).getByText('12.50 USDC').waitFor();
  await page.getByRole('button', { name: 'Review and sign' }).click();
  const sign = page.getByRole('button', { name: 'Sign with wallet' });
  const { y = 0, height = 0 } = (await sign.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(narrow.height);
  await photograph(page, 'Sign approval on a phone');
  await sign.click();
  await page.getByText('Payment approved. Your agent can make it.').waitFor();
  expect((await find(approvalId)).state).toBe('approved');
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('what was decided elsewhere meanwhile is said, and not decided twice; what is another’s is not shown [dashboard.console.approvals.link]', async () => {
  const { owner, apiKey } = await newPayer();
  const other = await newPayer();
  const { approvalId } = await askForApproval(world, owner, apiKey);
  const foreign = await askForApproval(world, other.owner, other.apiKey);
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await page.goto(`/approvals/${foreign.approvalId}`);
  await page.getByText('Payment request not found').waitFor();

  await page.goto(`/approvals/${approvalId}`);
  await page.getByRole('button', { name: 'Review and sign' }).click();
  const { token } = owner;
  expectOk('reject', await world.dashboard.rejectApproval({ token, params: { approvalId }, body: {} }));
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  await page.getByText('The approval is already rejected.').waitFor();
  await visit.close();
});

test('the owner reads the whole address of the payee before deciding, on a phone too [dashboard.console.whole-addresses]', async () => {
  const { owner, apiKey } = await newPayer();
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await page.setViewportSize(narrow);
  const { approvalId, payTo } = await askForApproval(world, owner, apiKey);
  for (const path of ['/approvals', `/approvals/${approvalId}`]) {
    await page.goto(path);
    await page.getByText(payTo, { exact: true }).waitFor();
    expect(await page.evaluate<number>(sideways)).toBe(0);
  }
  await visit.close();
});

test('the owner reads what the call says, held against the hash in the browser; a text of another hash is told [dashboard.console.approvals.arguments]', async () => {
  const { owner, apiKey } = await newPayer();
  const said = '{"company":"ACME","note":"quiet\u202e please","year":2025}';
  const { approvalId } = await askForApproval(world, owner, apiKey, { said });
  const alone = await askForApproval(world, owner, apiKey, { said: null, toolName: 'get_secret' });
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await page.goto(`/approvals/${approvalId}`);
  const shown = page.getByRole('region', { name: 'Call arguments as JSON' });
  await shown.getByText('"company": "ACME"').waitFor();
  // A character that nobody sees is shown as its code.
  await shown.getByText('quiet\\u202e please').waitFor();
  await page.getByText('They match the hash that you sign, computed in this browser').waitFor();
  await expectAccessible(page, 'Approval with arguments');
  await page.getByRole('button', { name: 'Review and sign' }).click();
  const review = page.getByRole('dialog', { name: 'Review and sign' });
  await review.getByText('"company": "ACME"').waitFor();

  await page.goto(`/approvals/${alone.approvalId}`);
  await page.getByText('The gateway sent only the hash of the arguments').waitFor();

  await page.route('**/api/approvals/*/arguments', (route) =>
    route.fulfill({
      json: { code: 80000000, msg: 'success', data: { state: 'kept', arguments: '{"company":"OTHER"}' } },
    }),
  );
  await page.goto(`/approvals/${approvalId}`);
  await page.getByRole('alert').getByText('Do not sign').waitFor();
  expect(visit.faults).toEqual([]);
  await visit.close();
});
