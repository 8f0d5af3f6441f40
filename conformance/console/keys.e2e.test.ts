import type { Page } from 'playwright-core';
import { expectOk } from '@countersign/local/dashboard-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inConsole, signedAgent } from './fixtures/agents.ts';
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
  await press(page, 'Create your first key');
  await press(page, 'Create key');
  await page.getByText('Enter a name that you will recognise.').waitFor();
  await page.getByLabel('Name').fill('laptop');
  await press(page, 'Create key');
  const first = await takeKey(page);
  expect(await ask(first)).toBe(true);

  await page.reload();
  expect(await page.getByText(first.slice(8)).count()).toBe(0);
  await page.getByRole('row', { name: /laptop Active .* now/ }).waitFor();

  await press(page, 'laptop');
  await press(page, 'Roll');
  await page.getByText('in 1 hour').click();
  await press(page, 'Create new key');
  const second = await takeKey(page);
  await page.getByText(/Expires.in (59 minutes|1 hour)/).waitFor();
  expect([await ask(first), await ask(second)]).toEqual([true, true]);

  await page
    .getByRole('row', { name: /laptop Active/ })
    .getByRole('button')
    .click();
  await press(page, 'Revoke');
  await page.getByLabel('Type laptop to confirm').fill('desktop');
  await press(page, 'Revoke key');
  await page.getByText('The name does not match.').waitFor();
  expect(await ask(second)).toBe(true);
  await page.getByLabel('Type laptop to confirm').fill('laptop');
  await press(page, 'Revoke key');
  await page.getByText('“laptop” is revoked.').waitFor();
  expect([await ask(first), await ask(second)]).toEqual([true, 'API_KEY_INVALID']);

  await page
    .getByRole('row', { name: /laptop Expires/ })
    .getByRole('button')
    .click();
  expect(await page.getByRole('button', { name: 'Roll' }).count()).toBe(0);
  await press(page, 'Revoke');
  await page.getByLabel('Type laptop to confirm').fill('laptop');
  await press(page, 'Revoke key');
  await page
    .getByRole('row', { name: /laptop Revoked/ })
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
  // Busy until the agents are known, which decide what a key may do: then nothing is submitted.
  await page.locator('button:not([aria-disabled])', { hasText: 'Create key' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Copy your key now' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('You have not copied it.').waitFor();
  await press(page, 'Close without copying');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('a gateway’s key is for one agent, an accountant’s reads the log, and each says so [dashboard.console.keys.reach]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const [trains, books] = [
    await signedAgent(world, owner, apiKey, 'Trains'),
    await signedAgent(world, owner, apiKey, 'Books'),
  ];
  for (const { agentWallet } of [trains, books]) await world.newMandate(owner, { agentWallet });
  const ask = async (key: string, payerWalletAddress: string) => {
    const body = { apiKey: key, payerWalletAddress };
    return (await world.dashboard.mandateCredential({ body })).kind;
  };
  const make = async (name: string, choose: () => Promise<unknown>) => {
    await press(page, 'New key');
    await page.getByLabel('Name').fill(name);
    await choose();
    await press(page, 'Create key');
    return takeKey(page);
  };
  await page.goto('/keys');
  const ofTrains = await make('laptop', () => page.getByLabel('Agent').selectOption('Trains'));
  expect([await ask(ofTrains, trains.agentWallet), await ask(ofTrains, books.agentWallet)]).toEqual([
    'ok',
    'refused',
  ]);
  await page.getByRole('row', { name: /laptop Active .*Gateway Trains/ }).waitFor();

  const reading = await make('tax office', async () => {
    await page.getByText('Accountant', { exact: true }).click();
    expect(await page.getByLabel('Agent').count()).toBe(0);
    await page.getByLabel('Expires').selectOption('In 90 days');
  });
  await page.getByRole('row', { name: /tax office Active .*Accountant/ }).waitFor();
  const listed = await world.dashboard.listTransactions({ token: reading, query: { scope: 'myAll' } });
  expect([listed.kind, await ask(reading, trains.agentWallet)]).toEqual(['ok', 'refused']);

  await make('everything', async () => {
    await page.getByText('Everything', { exact: true }).click();
    await page
      .getByText('Whoever has this key can hold and report against the budget of every agent.')
      .waitFor();
  });
  await page.getByRole('button', { name: 'tax office' }).click();
  await page.getByText('The whole log').last().waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('an owner is warned of a key that ends soon, on the overview too, until it is rolled [dashboard.console.keys.expiry]', async () => {
  const { page, owner, faults, close } = await inConsole(world);
  const body = { name: 'laptop', validDays: 10 };
  expectOk('key', await world.dashboard.createKey({ token: owner.token, body }));
  for (const path of ['/', '/keys']) {
    await page.goto(path);
    await page.getByText(/API key “laptop” expires in 9 days/).waitFor();
  }
  await page
    .getByRole('row', { name: /laptop Expires.in 9 days/ })
    .getByRole('button')
    .click();
  await press(page, 'Roll');
  await page.getByText('immediately').click();
  await press(page, 'Create new key');
  await takeKey(page);
  await page.getByRole('row', { name: /laptop Revoked/ }).waitFor();
  expect(await page.getByText(/API key “laptop” expires/).count()).toBe(1);
  expect(faults).toEqual([]);
  await close();
});
