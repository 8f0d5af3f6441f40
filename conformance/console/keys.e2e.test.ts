import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startConsole, type TestConsole } from './fixtures/console.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

/** Takes the key from the clipboard, as people do, and leaves. */
async function takeKey(page: Page): Promise<string> {
  await press(page, 'Copy key');
  await page.getByText('Copied.').waitFor();
  const apiKey = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(await page.getByRole('group', { name: 'The key' }).textContent()).toBe(apiKey);
  await press(page, 'Done');
  return apiKey;
}

test('an owner makes a key that works, rolls it with a grace, and revokes it by its name [dashboard.console.keys]', async () => {
  const owner = await world.newOwner();
  await world.newMandate(owner);
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  const ask = async (apiKey: string) => {
    const body = { apiKey, payerWalletAddress: owner.wallet.address };
    const answer = await world.dashboard.mandateCredential({ body });
    return answer.kind === 'ok' ? answer.data.found : answer.kind === 'refused' ? answer.code : answer.kind;
  };
  await signIn(visit);
  await page.goto('/keys');
  await press(page, 'Make the first one');
  await press(page, 'Make the key');
  await page.getByText('Give it a name that you will recognise.').waitFor();
  await page.getByLabel('Name').fill('laptop');
  await press(page, 'Make the key');
  const first = await takeKey(page);
  expect(await ask(first)).toBe(true);

  await page.reload();
  expect(await page.getByText(first.slice(8)).count()).toBe(0);
  await page.getByRole('row', { name: /laptop Active .* now/ }).waitFor();

  await press(page, 'laptop');
  await press(page, 'Roll');
  await page.getByText('in 1 hour').click();
  await press(page, 'Make the new key');
  const second = await takeKey(page);
  await page.getByText(/Ends.in (59 minutes|1 hour)/).waitFor();
  expect([await ask(first), await ask(second)]).toEqual([true, true]);

  await page
    .getByRole('row', { name: /laptop Active/ })
    .getByRole('button')
    .click();
  await press(page, 'Revoke');
  await page.getByLabel('Type laptop to confirm').fill('desktop');
  await press(page, 'Revoke for good');
  await page.getByText('This is not the name.').waitFor();
  expect(await ask(second)).toBe(true);
  await page.getByLabel('Type laptop to confirm').fill('laptop');
  await press(page, 'Revoke for good');
  await page.getByText('“laptop” is revoked.').waitFor();
  expect([await ask(first), await ask(second)]).toEqual([true, 'API_KEY_INVALID']);

  await page
    .getByRole('row', { name: /laptop Ends/ })
    .getByRole('button')
    .click();
  expect(await page.getByRole('button', { name: 'Roll' }).count()).toBe(0);
  await press(page, 'Revoke');
  await page.getByLabel('Type laptop to confirm').fill('laptop');
  await press(page, 'Revoke for good');
  await page
    .getByRole('row', { name: /laptop Ended/ })
    .nth(1)
    .waitFor();
  expect(await ask(first)).toBe('API_KEY_INVALID');
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('whoever leaves a new key without copying it is warned once [dashboard.console.keys.once]', async () => {
  const owner = await world.newOwner();
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await page.goto('/keys');
  await press(page, 'New key');
  await page.getByLabel('Name').fill('laptop');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Copy your key now' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('You have not copied it.').waitFor();
  await press(page, 'Leave without it');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(visit.faults).toEqual([]);
  await visit.close();
});
