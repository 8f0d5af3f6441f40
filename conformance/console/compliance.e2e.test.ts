import { expectOk } from '@countersign/local/dashboard-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { newTestWallet } from './fixtures/test-wallet.ts';

let world: TestConsole;
let operator: Visit;
beforeAll(async () => {
  world = await startConsole();
  operator = await world.visit({ wallet: newTestWallet(world.chainId, world.card.operator.privateKey) });
  await signIn(operator);
});
afterAll(() => world.stop());

const identity = {
  fullName: 'Ada Byron',
  country: 'GB',
  documentType: 'passport',
  documentNumber: 'X 123 456',
} as const;

test('an owner hands in an identity; an operator finds it in the queue of the console and approves it there [dashboard.kyc.reviews.console] [dashboard.console.compliance.identity]', async () => {
  const owner = await world.newOwner();
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await page.goto('/compliance');
  expect(await page.getByRole('link', { name: 'Review queue' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Submit identity' }).click();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Enter your name as it appears in the document.').waitFor();
  await page.getByLabel('Full name').fill(identity.fullName);
  await page.getByLabel('Issuing country').selectOption({ label: 'United Kingdom' });
  await page.getByLabel('Document number').fill(identity.documentNumber);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Your submission is under review.').waitFor();

  const desk = operator.page;
  await desk.goto('/compliance');
  await desk.getByRole('link', { name: 'Review queue' }).click();
  await expectAccessible(desk, 'Review queue');
  await desk.getByRole('button', { name: 'Ada Byron' }).click();
  await desk.getByText('X 123 456').waitFor();
  await desk.getByRole('button', { name: 'Reject' }).click();
  await desk.getByText('Enter a reason so that they can correct it.').waitFor();
  await expectAccessible(desk, 'Review');
  await desk.getByRole('button', { name: 'Approve' }).click();
  await desk.getByText('Ada Byron is verified.').waitFor();
  await desk.getByRole('link', { name: 'Verified' }).click();
  await desk.getByRole('button', { name: 'Ada Byron' }).waitFor();

  const { kycStatus } = expectOk('look', await world.dashboard.kycStatus({ token: owner.token }));
  expect(kycStatus).toBe('approved');
  await page.reload();
  await page.getByText('You are verified.').waitFor();
  expect([...visit.faults, ...operator.faults]).toEqual([]);
  await visit.close();
});

test('what is handed in while an operator looks at the queue appears there by itself [dashboard.console.compliance.live]', async () => {
  const desk = operator.page;
  await desk.goto('/compliance?view=reviews');
  await desk.getByRole('link', { name: 'Verified' }).waitFor();
  const { token } = await world.newOwner();
  const body = { ...identity, fullName: 'Late Comer' };
  expectOk('submit', await world.dashboard.submitKyc({ token, body }));
  await desk.getByRole('button', { name: 'Late Comer' }).waitFor();
});

test('a rejection tells its reason, and may be answered; nobody decides about oneself [dashboard.kyc.reviews.console] [dashboard.console.compliance.identity]', async () => {
  const owner = await world.newOwner();
  const { token } = owner;
  expectOk(
    'submit',
    await world.dashboard.submitKyc({ token, body: { ...identity, fullName: 'Bob Blurred' } }),
  );
  const desk = operator.page;
  await desk.goto('/compliance?view=reviews');
  await desk.getByRole('button', { name: 'Bob Blurred' }).click();
  await desk.getByLabel('Reason').fill('The picture is blurred.');
  await desk.getByRole('button', { name: 'Reject' }).click();
  await desk.getByText('Bob Blurred is rejected.').waitFor();

  const visit = await world.visit({ wallet: owner.testWallet });
  await signIn(visit);
  await visit.page.goto('/compliance');
  await visit.page.getByText('The picture is blurred.').waitFor();
  await visit.page.getByRole('button', { name: 'Submit again' }).waitFor();
  await visit.page.goto('/compliance?view=reviews');
  await visit.page.getByText('You do not have access').waitFor();
  await visit.close();

  await desk.goto('/compliance');
  await desk.getByRole('button', { name: 'Submit identity' }).click();
  await desk.getByLabel('Full name').fill('The Operator');
  await desk.getByLabel('Issuing country').selectOption('DE');
  await desk.getByLabel('Document number').fill('1');
  await desk.getByRole('button', { name: 'Submit', exact: true }).click();
  await desk.getByText('Your submission is under review').waitFor();
  await desk.goto('/compliance?view=reviews');
  await desk.getByRole('button', { name: 'The Operator' }).click();
  await desk.getByText('This is your own submission. Another operator must decide.').waitFor();
  expect(await desk.getByRole('button', { name: 'Approve' }).count()).toBe(0);
});

test('an address is screened with the list and date that say so, and providers are named with their state and list [dashboard.kyt.list-date] [dashboard.provider.console] [dashboard.console.compliance.screen]', async () => {
  const { page } = operator;
  await page.goto('/compliance');
  const { kyc, kyt } = expectOk(
    'providers',
    await world.dashboard.complianceProviders({ token: (await world.newOwner()).token }),
  );
  expect([kyc.provider, kyt.map(({ provider }) => provider)]).toEqual(['review-queue', ['demonstration']]);
  const list = page.getByRole('row', { name: /Demonstration list, not for real use/ });
  await list.getByText('Responding', { exact: true }).waitFor();
  expect(await list.locator('time').getAttribute('datetime')).toBe(kyt[0]?.listDate);
  await page.getByRole('row', { name: /Review by an operator/ }).waitFor();

  const section = page.getByRole('region', { name: 'Screen an address' });
  await section.getByRole('button', { name: 'Screen address' }).click();
  await section.getByText('Enter an address: 0x followed by 40 hex digits.').waitFor();
  await section.getByRole('textbox', { name: 'Address' }).fill('0x00000000000000000000000000000000000bad01');
  await section.getByRole('button', { name: 'Screen address' }).click();
  await section.getByText('Severe risk').waitFor();
  await section.getByText('Refused').waitFor();
  await section.getByText('Demonstration list').waitFor();
  expect(await section.locator('time').first().getAttribute('datetime')).toBe(kyt[0]?.listDate);
  await expectAccessible(page, 'Screened');
  await section.getByRole('textbox', { name: 'Address' }).fill(world.card.merchant.address);
  await page.keyboard.press('Enter');
  await section.getByText('Low risk').waitFor();
  expect(operator.faults).toEqual([]);
});

test('an operator denies an address with a reason, and takes it off again [dashboard.console.compliance.deny-list]', async () => {
  const { page } = operator;
  const address = newTestWallet(world.chainId).account.address;
  const { token } = await world.newOwner();
  const screen = async () =>
    expectOk(
      'screen',
      await world.dashboard.screen({ token, body: { walletAddress: address, chain: 'base' } }),
    );
  await page.goto('/compliance?view=deny-list');
  await page.getByText('No denied addresses').waitFor();
  await expectAccessible(page, 'Deny list-empty');
  await page.getByRole('button', { name: 'Deny an address' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(address);
  await page.getByRole('button', { name: 'Deny address' }).click();
  await page.getByText('Enter a reason. It goes on record.').waitFor();
  await expectAccessible(page, 'Deny an address');
  await page.getByLabel('Reason').fill('Chargebacks');
  await page.getByRole('button', { name: 'Deny address' }).click();
  await page.getByRole('cell', { name: 'Chargebacks' }).waitFor();
  await expectAccessible(page, 'Deny list');
  expect(await screen()).toMatchObject({ decision: 'reject', source: 'deny-list' });

  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Settled');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove address' }).click();
  await page.getByText('No denied addresses').waitFor();
  expect(await screen()).toMatchObject({ decision: 'pass' });
  expect(operator.faults).toEqual([]);
});
