import { expectOk } from '@countersign/local/dashboard-account';
import { paymentMandateDomain, paymentMandateTypes } from '@countersign/protocol/gateway/payment-mandate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForApproval } from './fixtures/approvals.ts';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import type { Owner } from './fixtures/pages.ts';

let world: TestConsole;
let owner: Owner;
let apiKey: string;
let visit: Visit;

beforeAll(async () => {
  world = await startConsole();
  owner = await world.newOwner();
  const { token } = owner;
  ({ apiKey } = expectOk('key', await world.dashboard.createKey({ token, body: { name: 'gateway' } })));
  visit = await world.visit({ wallet: owner.testWallet });
  await signIn(visit);
});
afterAll(() => world?.stop());

/** As a gateway reports it. */
async function report(
  serviceName: string,
  serviceResult: 'pass' | 'reject',
  more: object,
  metadata: Record<string, unknown>,
) {
  const payer = owner.wallet.address;
  const payee = world.card.merchant.address;
  const about = { chain: 'base-sepolia', amount: '0.05', tokenSymbol: 'USDC', payer, payee };
  const body = { apiKey, serviceName, serviceResult, ...about, ...more, metadata };
  expectOk('report', await world.dashboard.reportTransaction({ body }));
}

const rows = () => visit.page.getByRole('table').getByRole('row');
const sheet = () => visit.page.getByRole('dialog', { name: /^Transaction \d+$/ });

test('a payment that was not made says why and the way out before anything else; a paused mandate is paused, not none [dashboard.console.transactions.why] [dashboard.console.overview.open]', async () => {
  const { page } = visit;
  const code = 'MANDATE_NOT_FOUND';
  await report(
    'market',
    'reject',
    {},
    { code, reason: 'MANDATE_PAUSED', toolName: 'get_quote', agent: 'buyer' },
  );
  await page.goto('/');
  await page.getByRole('link', { name: 'market' }).click();
  const notice = sheet().getByText('Your mandate was paused. Resume it so that your agent can pay again.');
  await notice.waitFor();
  await sheet().getByText('Paused: resume').waitFor();
  const texts = await sheet().innerText();
  expect(texts.indexOf('Your mandate was paused')).toBeLessThan(texts.indexOf('Reported by'));
  expect(texts.indexOf('Your mandate was paused')).toBeLessThan(texts.indexOf('Metadata'));
  await expectAccessible(page, 'Transaction refused');
  await sheet().getByRole('link', { name: 'resume', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Mandates' }).waitFor();

  await report('lab', 'reject', {}, { code: 'SOMETHING_NEW\u202egnp' });
  await page.goto('/transactions?service=lab');
  await page.getByRole('link', { name: 'lab' }).click();
  await sheet().getByText('Reason given by whoever reported it: SOMETHING_NEW\\u202egnp').waitFor();
});

test('one payment is one row from its refusal through the approval to its settlement, and tells all of it [dashboard.console.transactions.one-payment]', async () => {
  const { page } = visit;
  const { token } = owner;
  const message = await askForApproval(world, owner, apiKey);
  const { approvalId } = message;
  const asked = { code: 'WALLET_APPROVAL_REQUIRED', reason: 'PER_TX_LIMIT_EXCEEDED', approvalId };
  await report('reports', 'reject', {}, asked);
  await report('reports', 'reject', {}, asked);
  await page.goto('/transactions?service=reports');
  await page.getByRole('row', { name: /reports.*Refused.*Over your limit per payment/ }).waitFor();
  expect(await rows().count()).toBe(2);
  await page.getByRole('link', { name: 'reports' }).click();
  await sheet().getByRole('link', { name: 'View request' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payment request' }).waitFor();

  const signature = await owner.testWallet.account.signTypedData({
    domain: { ...paymentMandateDomain(world.chainId), chainId: BigInt(world.chainId) },
    types: paymentMandateTypes,
    primaryType: 'PaymentMandate',
    message,
  });
  const params = { approvalId };
  expectOk('approve', await world.dashboard.approveApproval({ token, params, body: { signature } }));
  await report('reports', 'pass', { txHash: `0x${'cd'.repeat(32)}` }, { code: 'SUCCESS', approvalId });
  await page.goto('/transactions?service=reports');
  await page.getByRole('row', { name: /reports.*Paid/ }).waitFor();
  expect(await rows().count()).toBe(2);
  await page.getByRole('link', { name: 'reports' }).click();
  const steps = sheet().getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await steps.filter({ hasText: 'You approved it' }).waitFor();
  expect(await steps.allInnerTexts()).toEqual([
    expect.stringMatching(/^Not paid: Over your limit per payment/),
    expect.stringMatching(/^Not paid: Over your limit per payment/),
    expect.stringMatching(/^You approved it/),
    expect.stringMatching(/^Paid/),
  ]);
  await expectAccessible(page, 'Transaction with steps');
});

test('reason, tool and agent are columns and filters [dashboard.console.transactions.noted]', async () => {
  const { page } = visit;
  await page.goto('/transactions');
  await page.getByRole('row', { name: /market.*Your mandate was paused.*get_quote.*buyer/ }).waitFor();
  await expectAccessible(page, 'Transactions with reasons');
  await page.getByLabel('Why').selectOption('Your mandate was paused');
  await page.getByLabel('Tool').fill('get_quote');
  await page.getByLabel('Agent').fill('buyer');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('/transactions?tool=get_quote&agent=buyer&reason=MANDATE_PAUSED');
  await page.getByRole('row', { name: /market/ }).waitFor();
  expect(await rows().count()).toBe(2);
  await page.getByLabel('Agent').fill('nobody');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('No matching transactions').waitFor();
  expect(visit.faults).toEqual([]);
});
