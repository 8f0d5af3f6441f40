import { expectOk } from '@countersign/local/dashboard-account';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startConsole, type TestConsole } from './fixtures/console.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const told = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

async function sign(page: Page): Promise<void> {
  await press(page, 'Sign with wallet');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await told(page, 'Signed.');
}

/** An owner at the page of a signed mandate, with a key to look at it as a gateway does. */
async function atMandate() {
  const owner = await world.newOwner();
  const { token } = owner;
  const mandateId = await world.newMandate(owner);
  const { apiKey } = expectOk('key', await world.dashboard.createKey({ token, body: { name: 'gateway' } }));
  const visit = await world.visit({ wallet: owner.testWallet });
  await signIn(visit);
  await visit.page.goto(`/mandates/${mandateId}`);
  return {
    ...visit,
    owner,
    mandateId,
    apiKey,
    /** The active mandate as a gateway sees it, or why there is none. */
    seen: async () => {
      const body = { apiKey, payerWalletAddress: owner.wallet.address };
      const answer = await world.dashboard.mandateCredential({ body });
      if (answer.kind === 'ok') return answer.data.mandate;
      return answer.kind === 'refused' ? answer.msg : answer.kind;
    },
  };
}

test('an owner lowers the budget at once, raises it by a signature, and changes the name without one [dashboard.console.mandates.edit]', async () => {
  const { page, seen, owner, mandateId, faults, close } = await atMandate();
  await press(page, 'Edit');
  await page.getByLabel('Total budget').fill('5.00');
  await page.getByLabel('Name').fill('Reading agent');
  await page.getByText('This takes effect immediately.').waitFor();
  await press(page, 'Save changes');
  await told(page, 'Changes saved.');
  await page.getByRole('heading', { level: 1, name: 'Reading agent' }).waitFor();
  expect(await seen()).toMatchObject({ id: mandateId, totalBudget: '5' });
  expect(owner.testWallet.asked).not.toContain('eth_signTypedData_v4');
  await press(page, 'Verify');
  await page.getByText('The current limits do not exceed the signed ones').waitFor();
  expect(await page.getByText(': no').count()).toBe(0);

  await press(page, 'Edit');
  await page.getByLabel('Total budget').fill('50');
  await page.getByText('This change needs a new signature.').waitFor();
  await press(page, 'Review');
  await page.getByRole('dialog', { name: 'Review and sign' }).getByText('50', { exact: true }).waitFor();
  expect(await seen()).toBe('MANDATE_PENDING');
  await sign(page);
  expect(await seen()).toMatchObject({ id: mandateId, totalBudget: '50' });

  await press(page, 'Edit');
  await page.getByLabel('Limit per payment').fill('2');
  await press(page, 'Review');
  await sign(page);
  expect(await seen()).toMatchObject({ perTxLimit: '2', totalBudget: '50' });
  expect(faults).toEqual([]);
  await close();
});

test('an owner pauses a mandate, which then pays nothing, and resumes it [dashboard.console.mandates.pause]', async () => {
  const { page, seen, mandateId, faults, close } = await atMandate();
  await press(page, 'Pause');
  await page.getByText('Paused. Your agent pays nothing from this mandate').waitFor();
  expect(await seen()).toBe('MANDATE_PAUSED');
  await press(page, 'Resume');
  await told(page, 'Resumed.');
  expect(await seen()).toMatchObject({ id: mandateId });
  expect(faults).toEqual([]);
  await close();
});

test('rules are set without a signature, hold at once and are shown [dashboard.console.mandates.policy]', async () => {
  const { page, mandateId, apiKey, owner, faults, close } = await atMandate();
  await press(page, 'Change rules');
  await page.getByText('Day', { exact: true }).click();
  await page.getByLabel('Budget per day').fill('0.75');
  await page.getByLabel('Ask me above').fill('0.5');
  await page.getByText('Only these').last().click();
  await page.getByLabel('Service names').fill('quotes\narchive');
  await press(page, 'Save rules');
  await told(page, 'Rules saved. They apply from now on.');
  await page.getByText('0.75 USDC each day').waitFor();
  const hold = async (serviceId: string, amount: string) => {
    const holdId = `${serviceId}-${amount}`;
    const body = { apiKey, mandateId, holdId, amount, ttlSeconds: 60, serviceId };
    const answer = await world.dashboard.holdMandate({ body });
    return answer.kind === 'refused' ? answer.msg : answer.kind;
  };
  expect(await hold('travel', '0.1')).toBe('SERVICE_NOT_ALLOWED');
  expect(await hold('quotes', '0.6')).toBe('APPROVAL_THRESHOLD_EXCEEDED');
  expect(await hold('quotes', '0.5')).toBe('ok');
  expect(await hold('archive', '0.4')).toBe('PERIOD_BUDGET_EXCEEDED');

  await press(page, 'Change rules');
  expect(await page.getByLabel('Service names').inputValue()).toBe('quotes\narchive');
  await page.getByText('None', { exact: true }).click();
  await press(page, 'Save rules');
  await page.getByText('0.75 USDC each day').waitFor({ state: 'hidden' });
  expect(await hold('archive', '0.4')).toBe('ok');
  expect(owner.testWallet.asked).not.toContain('eth_signTypedData_v4');
  expect(faults).toEqual([]);
  await close();
});

test('an owner renews an ended mandate, signs it, and deletes the old one [dashboard.console.mandates.renew] [dashboard.console.mandates.delete]', async () => {
  const { page, seen, mandateId, faults, close } = await atMandate();
  await press(page, 'Revoke');
  await press(page, 'Revoke mandate');
  await told(page, 'Mandate revoked.');
  expect(await seen()).toBe('MANDATE_REVOKED');
  await press(page, 'Renew');
  await page.getByLabel('Valid for').fill('400');
  await press(page, 'Review');
  await page.getByText('Enter a whole number of days, from 1 to 365.').waitFor();
  await page.getByLabel('Valid for').fill('7');
  await press(page, 'Review');
  await sign(page);
  await page.getByText('in 6 days').waitFor();
  const renewed = await seen();
  expect(renewed).toMatchObject({ perTxLimit: '1', totalBudget: '20' });
  expect(page.url()).toContain((renewed as { id: string }).id);

  await page.goto(`/mandates/${mandateId}`);
  await press(page, 'Delete');
  await press(page, 'Delete mandate');
  await page.getByRole('heading', { level: 1, name: 'Mandates' }).waitFor();
  await told(page, 'Mandate deleted.');
  await page.getByRole('row', { name: /Research agent Active/ }).waitFor();
  expect(await page.getByRole('row', { name: /Research agent/ }).count()).toBe(1);
  expect(faults).toEqual([]);
  await close();
});

test('a budget that is nearly used is told once, until it is marked as seen [dashboard.console.alerts]', async () => {
  const { page, owner, mandateId, apiKey, faults, close } = await atMandate();
  const parties = { payer: owner.wallet.address, payee: world.card.merchant.address };
  const body = {
    ...parties,
    apiKey,
    intentMandateId: mandateId,
    serviceName: 'quotes',
    serviceResult: 'pass' as const,
    chain: 'base-sepolia',
    tokenSymbol: 'USDC',
    amount: '10',
    txHash: `0x${'7'.repeat(64)}`,
  };
  expectOk('report', await world.dashboard.reportTransaction({ body }));
  await page.goto('/mandates');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByText('has used 50% of its budget').waitFor();
  await alerts.getByRole('link', { name: 'Research agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'Research agent' }).waitFor();
  await alerts.getByRole('button', { name: 'Mark as seen' }).click();
  await alerts.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Research agent' }).waitFor();
  expect(await alerts.count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});
