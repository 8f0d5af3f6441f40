import { expectOk, logIn } from '@countersign/local/dashboard-account';
import type { Account } from '@countersign/local/dashboard-account';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { narrow, signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectKeyboardReachesAll } from './fixtures/keyboard.ts';
import { expectAccessible } from './fixtures/looks.ts';
import type { Owner } from './fixtures/pages.ts';
import { newTestWallet } from './fixtures/test-wallet.ts';

// Two operators who have to agree, in two browsers.
let world: TestConsole;
let first: Visit;
let second: Visit;
const accounts: Account[] = [];
let database: Client;
beforeAll(async () => {
  const key = newPrivateKey();
  const other = { privateKey: key, address: addressOfPrivateKey(keyBytes(key)) };
  world = await startConsole({ env: { KYC_FOUR_EYES: '1', OPERATOR_ADDRESSES: other.address } });
  const site = { origin: new URL(world.card.dashboardUrl ?? ''), chainId: world.chainId };
  accounts.push(await logIn(world.dashboard, world.card.operator, site));
  accounts.push(await logIn(world.dashboard, other, site));
  first = await world.visit({ wallet: newTestWallet(world.chainId, world.card.operator.privateKey) });
  second = await world.visit({ wallet: newTestWallet(world.chainId, key) });
  await signIn(first);
  await signIn(second);
  database = new Client({ connectionString: world.card.databaseUrl ?? '' });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world.stop();
});

const document = { country: 'GB', documentType: 'passport', documentNumber: 'X 123' } as const;

const handIn = async ({ token }: Owner, fullName: string) =>
  expectOk('submit', await world.dashboard.submitKyc({ token, body: { ...document, fullName } }));

/** Somebody whom both operators have approved. */
async function approved(fullName: string) {
  const owner = await world.newOwner();
  await handIn(owner, fullName);
  for (const { token } of accounts) {
    const list = await world.dashboard.listKycReviews({ token, body: { kycStatus: 'pending', limit: 100 } });
    const review = expectOk('list', list).data.find(({ accountId }) => accountId === owner.accountId);
    const decision = { token, params: { id: review?.id ?? '' }, body: { decision: 'approve' } } as const;
    expectOk('approve', await world.dashboard.decideKycReview(decision));
  }
  return owner;
}

const statusOf = async ({ token }: Owner) =>
  expectOk('look', await world.dashboard.kycStatus({ token })).kycStatus;

/** As if the approval had been given so many days earlier. */
const daysPass = ({ accountId }: Owner, days: number) =>
  database.query(
    `update dashboard.kyc_submission set approved_at = approved_at - make_interval(days => $2) where account_id = $1`,
    [accountId, days],
  );

async function visitOf(owner: Owner, about: { readonly viewport?: typeof narrow } = {}) {
  const visit = await world.visit({ wallet: owner.testWallet, ...about });
  await signIn(visit);
  return visit;
}

test('one of two operators is shown as such, may take it back, and the other makes it count, by keyboard too [dashboard.console.compliance.four-eyes]', async () => {
  const owner = await world.newOwner();
  await handIn(owner, 'Ada Byron');
  const { page } = first;
  await page.goto('/compliance?view=reviews');
  await page.getByRole('button', { name: 'Ada Byron' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Recorded. A second operator must approve too.').waitFor();
  const row = page.getByRole('row', { name: 'Ada Byron' });
  await row.getByText('1 of 2 operators').waitFor();
  await page.getByRole('button', { name: 'Ada Byron' }).click();
  await page.getByText('It takes effect once a second operator agrees.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await expectAccessible(page, 'Review-one of two');
  await page.getByRole('button', { name: 'Retract' }).click();
  await page.getByText('Retracted. A second operator is no longer needed.').waitFor();
  await row.getByText('Waiting').waitFor();
  await page.getByRole('button', { name: 'Ada Byron' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Recorded. A second operator must approve too.').waitFor();
  expect(await statusOf(owner)).toBe('pending');

  const desk = second.page;
  await desk.goto('/compliance?view=reviews');
  await desk.getByRole('button', { name: 'Ada Byron' }).focus();
  await desk.keyboard.press('Enter');
  await desk.getByText('approved it on').waitFor();
  await desk.getByRole('button', { name: 'Approve' }).focus();
  await desk.keyboard.press('Enter');
  await desk.getByText('Ada Byron is verified.').waitFor();
  expect(await statusOf(owner)).toBe('approved');
  expect([...first.faults, ...second.faults]).toEqual([]);
});

test('an operator withdraws an approval with a reason, which the person reads on a phone; two restore it [dashboard.console.compliance.withdraw]', async () => {
  const owner = await approved('Bob Forged');
  const { page } = first;
  await page.goto('/compliance?view=reviews&decided=approved');
  await page.getByRole('button', { name: 'Bob Forged' }).click();
  await page.getByText('Valid until').waitFor();
  await expectAccessible(page, 'Review-verified');
  await page.getByRole('button', { name: 'Withdraw approval' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw approval' }).click();
  await page.getByText('Enter a reason. It goes on record.').waitFor();
  await expectAccessible(page, 'Withdraw an approval');
  await page.getByLabel('Reason').fill('The passport is forged.');
  await page.keyboard.press('Enter');
  await page.getByText('Approval withdrawn. Payments are refused from now on.').waitFor();
  expect(await statusOf(owner)).toBe('rejected');

  const visit = await visitOf(owner, { viewport: narrow });
  await visit.page.getByText('Your approval was withdrawn').waitFor();
  await visit.page.getByRole('link', { name: 'See why' }).click();
  await visit.page.getByRole('alert').getByText('The passport is forged.').waitFor();
  await visit.page.getByRole('button', { name: 'Submit again' }).waitFor();
  await expectAccessible(visit.page, 'Identity-withdrawn');
  expect(visit.faults).toEqual([]);
  await visit.close();

  await page.goto('/compliance?view=withdrawals');
  await page.getByRole('button', { name: /^Restore/ }).click();
  await page.getByLabel('Reason').fill('It was another Bob.');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('It stays withdrawn until a second operator agrees.').waitFor();
  await page.getByRole('button', { name: 'Retract' }).waitFor();
  await expectAccessible(page, 'Withdrawn');
  const desk = second.page;
  await desk.goto('/compliance?view=withdrawals');
  await desk.getByRole('button', { name: /^Restore/ }).waitFor();
  await expectKeyboardReachesAll(desk);
  await desk.getByRole('button', { name: /^Restore/ }).click();
  await desk.getByText('asked to restore it on').waitFor();
  await expectAccessible(desk, 'Restore');
  await desk.getByLabel('Reason').fill('I agree.');
  await desk.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await desk.getByText('No withdrawn approvals').waitFor();
  expect(await statusOf(owner)).toBe('approved');
  await desk.getByRole('button', { name: 'Withdraw an approval' }).click();
  await desk.getByRole('textbox', { name: 'Wallet' }).fill('0x00000000000000000000000000000000000000aa');
  await desk.getByLabel('Reason').fill('Nobody is there.');
  await desk.getByRole('dialog').getByRole('button', { name: 'Withdraw approval' }).click();
  await desk.getByText('There is no approval to withdraw.').waitFor();
});

test('taking an address off the deny list waits for a second operator too [dashboard.console.compliance.four-eyes]', async () => {
  const address = newTestWallet(world.chainId).account.address;
  const [token] = accounts.map((each) => each.token);
  expectOk(
    'deny',
    await world.dashboard.addToDenyList({ token: token ?? '', body: { address, reason: 'Chargebacks' } }),
  );
  for (const [{ page }, ends] of [
    [first, 'It stays on the list until a second operator removes it too.'],
    [second, 'Removed. Screening applies to it again.'],
  ] as const) {
    await page.goto('/compliance?view=deny-list');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.getByLabel('Reason').fill('Settled');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove address' }).click();
    await page.getByText(ends).waitFor();
    if (page === first.page) {
      await page.getByRole('button', { name: 'Retract' }).waitFor();
      await expectAccessible(page, 'Deny list-one of two');
    }
  }

  // Nobody decides about oneself.
  const [own, other] = accounts;
  const body = { address: own?.wallet.address ?? '', reason: 'Chargebacks' };
  expectOk('deny', await world.dashboard.addToDenyList({ token: other?.token ?? '', body }));
  await first.page.goto('/compliance?view=deny-list');
  await first.page.getByRole('cell', { name: 'Yours' }).waitFor();
  expect(await first.page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  await second.page.goto('/compliance?view=deny-list');
  await second.page.getByRole('button', { name: /^Remove/ }).waitFor();
  await database.query('delete from dashboard.deny_list where address = $1', [body.address]);
});

test('the console tells when an approval ends, offers to renew it in time, and keeps it meanwhile [dashboard.console.compliance.renewal]', async () => {
  const owner = await approved('Cy Renewing');
  const visit = await visitOf(owner);
  const { page } = visit;
  await page.goto('/compliance');
  await page.getByText('You are verified. Payments by your agent pass this check until').waitFor();
  expect(await page.getByRole('button', { name: 'Renew approval' }).count()).toBe(0);
  await daysPass(owner, 350);
  await page.goto('/');
  await page.getByText('Your approval expires on').waitFor();
  await page.getByRole('link', { name: 'Renew it' }).click();
  await page.getByText('Renew it before then').waitFor();
  await expectAccessible(page, 'Identity-ends soon');
  await page.getByRole('button', { name: 'Renew approval' }).click();
  await page.getByLabel('Full name').fill('Cy Renewing');
  await page.getByLabel('Issuing country').selectOption('DE');
  await page.getByLabel('Document number').fill('Y 2');
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Your renewal is under review.').waitFor();
  expect(await statusOf(owner)).toBe('approved');

  const ended = await approved('Di Ended');
  await daysPass(ended, 366);
  const other = await visitOf(ended, { viewport: narrow });
  await other.page.getByText('Your approval expired. Payments by your agent have been refused').waitFor();
  await other.page.goto('/compliance');
  await other.page.getByText('so payments by your agent are refused. Renew it to continue.').waitFor();
  await other.page.getByRole('button', { name: 'Renew approval' }).waitFor();
  await expectAccessible(other.page, 'Identity-ended');
  await first.page.goto('/compliance?view=reviews&decided=approved');
  await first.page.getByRole('cell', { name: 'Expired' }).waitFor();
  expect([...visit.faults, ...other.faults, ...first.faults]).toEqual([]);
  await visit.close();
  await other.close();
});

test('operators read who decided what, when and why, of one wallet or all [dashboard.console.compliance.history]', async () => {
  const owner = await approved('Eve Historic');
  const { page } = first;
  await page.goto('/compliance?view=reviews&decided=approved');
  await page.getByRole('button', { name: 'Eve Historic' }).click();
  await page.getByRole('link', { name: 'View wallet history' }).click();
  await page.getByText('Approved: 1 of 2').waitFor();
  await page.getByRole('row').nth(2).waitFor();
  expect(await page.getByRole('row').count()).toBe(3);
  await page.getByRole('link', { name: 'Show all wallets' }).click();
  await page.getByText('It was another Bob.').waitFor();
  await expectAccessible(page, 'History');
  await page.getByRole('navigation', { name: 'About' }).getByRole('link', { name: 'Deny list' }).click();
  await page.getByText('Removed from deny list: 1 of 2').first().waitFor();
  const visit = await visitOf(owner);
  await visit.page.goto('/compliance?view=history');
  await visit.page.getByText('You do not have access').waitFor();
  await visit.close();
});

test('an operator looks at everybody’s transactions, narrows them to a wallet, opens and downloads them, and that is on record [dashboard.console.transactions.everybody]', async () => {
  const owner = await world.newOwner();
  const { token } = owner;
  const { apiKey } = expectOk('make a key', await world.dashboard.createKey({ token, body: { name: 'g' } }));
  for (const serviceName of ['quotes', 'archive']) {
    const payment = {
      apiKey,
      serviceName,
      serviceResult: 'pass' as const,
      chain: 'base',
      amount: '1.25',
      tokenSymbol: 'USDC',
      payer: owner.wallet.address,
      payee: world.card.merchant.address,
      metadata: { traceId: serviceName, toolName: 'get_quote' },
    };
    expectOk('report', await world.dashboard.reportTransaction({ body: payment }));
  }
  const { page } = first;
  await page.goto('/transactions');
  await page.getByRole('link', { name: 'All accounts' }).click();
  await page.getByText('Each view is recorded').waitFor();
  await page.getByRole('link', { name: 'archive' }).waitFor();
  await expectAccessible(page, 'Transactions-everybody');
  await page.getByRole('textbox', { name: 'Wallet' }).fill('0x1');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Enter an address').waitFor();
  await page.getByRole('textbox', { name: 'Wallet' }).fill(owner.wallet.address);
  await page.keyboard.press('Enter');
  await page.waitForURL(/wallet=/);
  await page.getByRole('row').nth(2).waitFor();
  expect(await page.getByRole('row').count()).toBe(3);
  const csv = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
  expect(csv).toContain('scope=all');
  expect(csv).toContain(`walletAddress=${owner.wallet.address}`);
  await page.getByRole('link', { name: 'quotes' }).click();
  await page.getByRole('dialog').getByText('get_quote').first().waitFor();
  await expectAccessible(page, 'Transaction-everybody');
  await page.keyboard.press('Escape');
  await page.goto('/compliance?view=history&about=reads');
  await page.getByText('Viewed payments').first().waitFor();

  const visit = await visitOf(owner);
  await visit.page.goto('/transactions');
  await visit.page.getByRole('link', { name: 'quotes' }).waitFor();
  expect(await visit.page.getByRole('link', { name: 'All accounts' }).count()).toBe(0);
  expect([...first.faults, ...visit.faults]).toEqual([]);
  await visit.close();
});
