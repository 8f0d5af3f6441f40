import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
} from '../../packages/service/test/identity-provider.ts';
import { narrow, signIn, startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import type { Owner } from './fixtures/pages.ts';

const name = 'Smith & Sons "Login" $&';
const key = generatePrivateKey();
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let world: TestConsole;
let owner: Owner;
beforeAll(async () => {
  provider = await startIdentityProvider();
  world = await startConsole({
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ACCOUNT: privateKeyToAddress(key),
      OIDC_GROUP_ROLES: JSON.stringify({ finance: ['approver'], 'it, all of it': ['admin'] }),
      OIDC_NAME: name,
    },
  });
  provider.open([`${world.url}/sign-in/return`]);
  owner = await world.newOwner(key);
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
});

const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const press = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true }).click();

/** From the sign-in page through the provider's own pages. */
async function goThrough(page: Page, login: string): Promise<void> {
  // The provider's own pages load fonts from elsewhere, for which a machine without a network might wait long.
  await page.route(
    ({ hostname }) => !/^(127\.0\.0\.1|localhost)$/.test(hostname),
    (route) => route.abort(),
  );
  await press(page, `Sign in with ${name}`);
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await press(page, 'Sign-in');
  await press(page, 'Continue');
}

test('somebody signs in through the provider, comes to the page that they wanted, and stays signed in [dashboard.console.provider-login]', async () => {
  provider.people.set('ada', { name: 'Ada Byron', groups: ['finance', 'cleaning'] });
  const { page, context, close } = await world.visit({ wallet: null });
  await page.goto('/transactions');
  await heading(page, 'Sign in with your wallet');
  await expectAccessible(page, 'Sign in');
  await goThrough(page, 'ada');
  await heading(page, 'Transactions');
  expect(page.url()).toBe(`${world.url}/transactions`);
  await page.goBack();
  expect(page.url()).not.toMatch(/code=|state=/);
  await page.goto('/settings');
  await page.reload();
  await page.getByText('Ada Byron, Approver').waitFor();
  const session = (await context.cookies()).find((cookie) => cookie.name === 'platform_session');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  await close();
});

test('whoever is refused at the provider or has no group is told why, and can go back [dashboard.console.provider-login]', async () => {
  provider.people.set('guest', { name: 'Guest', groups: [] });
  const { page, close } = await world.visit({ wallet: null, viewport: narrow });
  await page.goto('/sign-in');
  await press(page, `Sign in with ${name}`);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await heading(page, 'You are not signed in');
  await page.getByText('Not signed in: you or the provider refused it.').waitFor();
  await expectAccessible(page, 'You are not signed in');
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await goThrough(page, 'guest');
  await page.getByText('Not signed in: none of your groups at the provider may.').waitFor();
  await page.goto('/sign-in/return?error=%3Cimg%20src%3Dx%3E&state=some');
  await page.getByText(/this login was started in another browser/).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await close();
});

test('an owner sees who came in through the provider, removes them, and lets them back in [dashboard.console.provider-login]', async () => {
  const hostile = '<img src=x onerror="window.name=1">';
  provider.people.set('mallory', { name: hostile, groups: ['it, all of it'] });
  const guest = await world.visit({ wallet: null });
  await guest.page.goto('/sign-in');
  await goThrough(guest.page, 'mallory');
  await heading(guest.page, 'Overview');

  const desk = await world.visit({ wallet: owner.testWallet });
  await signIn(desk);
  await desk.page.goto('/people');
  await desk.page.getByRole('row', { name: /img src=x.*Admin.*Smith & Sons/ }).waitFor();
  await press(desk.page, hostile);
  await desk.page.getByText('Their groups at the provider determine these roles').waitFor();
  expect(await desk.page.getByRole('button', { name: 'Change roles' }).count()).toBe(0);
  await press(desk.page, 'Remove');
  await press(desk.page, 'Remove person');
  await desk.page.getByText('Person removed.').waitFor();
  await heading(guest.page, 'Sign in with your wallet');
  await goAgain(guest.page);
  await guest.page.getByText('Not signed in: somebody of the account removed you.').waitFor();

  await press(desk.page, `Let ${hostile} back in`);
  await desk.page.getByText('They may sign in again.').waitFor();
  await guest.page.goto('/sign-in');
  await goAgain(guest.page);
  await heading(guest.page, 'Overview');
  await desk.page.goto('/people?view=changes');
  await desk.page
    .getByRole('row', { name: /Signed in through the provider for the first time/ })
    .first()
    .waitFor();
  await desk.page.getByRole('row', { name: /Readmitted somebody/ }).waitFor();
  for (const { page } of [desk, guest]) expect(await page.evaluate('window.name')).toBe('');
  for (const each of [desk, guest]) await each.close();
});

/** The provider still knows them, and asks nothing that it has asked before. */
async function goAgain(page: Page): Promise<void> {
  await press(page, `Sign in with ${name}`);
}
