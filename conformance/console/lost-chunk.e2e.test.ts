import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { signInToVault, startVaultConsole } from './fixtures/vault.ts';

let world: Awaited<ReturnType<typeof startVaultConsole>>;
let visit: Visit;
beforeAll(async () => {
  world = await startVaultConsole();
  visit = await world.visit({ wallet: (await world.newOwner()).testWallet });
  await signIn(visit);
  await visit.page.goto('/vault/tokens');
  await signInToVault(visit, await world.newUser('ada'));
});
afterAll(() => world?.stop());

const isScript = (path: string) => path.startsWith('/assets/');

test('a page whose script is lost on the way comes by itself once the network is back, and nobody is logged out [dashboard.console.lost-chunk]', async () => {
  const { page } = visit;
  world.wire.cut(isScript);
  const lost = page.waitForEvent('requestfailed');
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await lost;
  world.wire.mend();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByText('Signed in to the vault as ada').waitFor();
});

test('a page whose script does not come says so, is had by trying again, and nobody is logged out [dashboard.console.lost-chunk]', async () => {
  const { page } = visit;
  world.wire.cut(isScript);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('This page could not be loaded').waitFor({ timeout: 20_000 });
  await page.getByText('You are still signed in.').waitFor();
  await expectAccessible(page, 'Lost chunk');
  world.wire.mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByText('Signed in to the vault as ada').waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
});
