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
  await page.getByRole('button', { name: 'Hand in your identity' }).click();
  await page.getByRole('button', { name: 'Hand in', exact: true }).click();
  await page.getByText('Write your name as it stands in the document.').waitFor();
  await page.getByLabel('Full name').fill(identity.fullName);
  await page.getByLabel('Country that issued').selectOption({ label: 'United Kingdom' });
  await page.getByLabel('Number of the document').fill(identity.documentNumber);
  await page.getByRole('button', { name: 'Hand in', exact: true }).click();
  await page.getByText('What you handed in waits to be looked at.').waitFor();

  const desk = operator.page;
  await desk.goto('/compliance');
  await desk.getByRole('link', { name: 'Review queue' }).click();
  await expectAccessible(desk, 'Review queue');
  await desk.getByRole('button', { name: 'Ada Byron' }).click();
  await desk.getByText('X 123 456').waitFor();
  await desk.getByRole('button', { name: 'Reject' }).click();
  await desk.getByText('Say why, so that they can put it right.').waitFor();
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
  await visit.page.getByRole('button', { name: 'Hand in again' }).waitFor();
  await visit.page.goto('/compliance?view=reviews');
  await visit.page.getByText('You may not see this').waitFor();
  await visit.close();

  await desk.goto('/compliance');
  await desk.getByRole('button', { name: 'Hand in your identity' }).click();
  await desk.getByLabel('Full name').fill('The Operator');
  await desk.getByLabel('Country that issued').selectOption('DE');
  await desk.getByLabel('Number of the document').fill('1');
  await desk.getByRole('button', { name: 'Hand in', exact: true }).click();
  await desk.getByText('What you handed in waits').waitFor();
  await desk.goto('/compliance?view=reviews');
  await desk.getByRole('button', { name: 'The Operator' }).click();
  await desk.getByText('This is your own. Another operator decides about it.').waitFor();
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
  await list.getByText('Answers').waitFor();
  expect(await list.locator('time').getAttribute('datetime')).toBe(kyt[0]?.listDate);
  await page.getByRole('row', { name: /Review by an operator/ }).waitFor();

  const section = page.getByRole('region', { name: 'Screen an address' });
  await section.getByRole('button', { name: 'Screen' }).click();
  await section.getByText('Write an address: 0x and 40 hex digits.').waitFor();
  await section.getByRole('textbox', { name: 'Address' }).fill('0x00000000000000000000000000000000000bad01');
  await section.getByRole('button', { name: 'Screen' }).click();
  await section.getByText('Severe risk').waitFor();
  await section.getByText('Are refused').waitFor();
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
  await page.getByText('No address is denied').waitFor();
  await expectAccessible(page, 'Deny list-empty');
  await page.getByRole('button', { name: 'Deny an address' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(address);
  await page.getByRole('button', { name: 'Deny it' }).click();
  await page.getByText('Say why. It goes on record.').waitFor();
  await expectAccessible(page, 'Deny an address');
  await page.getByLabel('Reason').fill('Chargebacks');
  await page.getByRole('button', { name: 'Deny it' }).click();
  await page.getByRole('cell', { name: 'Chargebacks' }).waitFor();
  await expectAccessible(page, 'Deny list');
  expect(await screen()).toMatchObject({ decision: 'reject', source: 'deny-list' });

  await page.getByRole('button', { name: /^Take off/ }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Settled');
  await page.getByRole('dialog').getByRole('button', { name: 'Take off' }).click();
  await page.getByText('No address is denied').waitFor();
  expect(await screen()).toMatchObject({ decision: 'pass' });
  expect(operator.faults).toEqual([]);
});
