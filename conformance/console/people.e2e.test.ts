import { expectOk } from '@countersign/local/dashboard-account';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { narrow, signIn, startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { newPerson } from './fixtures/people.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const linksOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).first().getByRole('link').allTextContents();

async function signInByPassword(page: Page, { userName, password }: { userName: string; password: string }) {
  await page.goto('/sign-in');
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

/** The owner invites through the page, and takes the link from the clipboard. */
async function invite(page: Page, name: string, role: string): Promise<string> {
  await page.goto('/people');
  await press(page, 'Invite somebody');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('checkbox', { name: new RegExp(`^${role}`) }).check();
  await press(page, 'Create link');
  await press(page, 'Copy link');
  await page.getByText('Copied.').waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await press(page, 'Done');
  return link;
}

test('an owner invites an auditor, who joins by a password, reads everything and is offered no change [dashboard.console.people]', async () => {
  const owner = await world.newOwner();
  await world.newMandate(owner);
  const desk = await world.visit({ wallet: owner.testWallet });
  await signIn(desk);
  const link = await invite(desk.page, 'Ada', 'Auditor');
  expect(new URL(link).pathname).toBe('/join');

  const guest = await world.visit({ wallet: null, viewport: narrow });
  const { page } = guest;
  await page.goto(link);
  await page.getByText('You are invited as Ada (Auditor)').waitFor();
  await expectAccessible(page, 'Join');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel('User name').fill(`ada.${Date.now()}`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('not so short a one');
  await page.keyboard.press('Enter');
  await heading(page, 'Overview');
  expect(new URL(page.url()).hash).toBe('');
  for (const [path, name, button] of [
    ['/mandates', 'Mandates', 'New mandate'],
    ['/keys', 'API keys', 'New key'],
    ['/people', 'People', 'Invite somebody'],
  ] as const) {
    await page.goto(path);
    await heading(page, name);
    await page.getByText('You can view everything here but change nothing.').waitFor();
    expect(await page.getByRole('button', { name: button }).count()).toBe(0);
  }
  await page.goto('/people?view=changes');
  await page.getByRole('row', { name: /Invited somebody.*Wallet’s holder/ }).waitFor();
  await page.getByRole('row', { name: /Accepted an invitation.*Ada/ }).waitFor();
  expect(guest.faults).toEqual([]);

  const again = await world.visit({ wallet: null });
  await again.page.goto(link);
  await again.page.getByText(/The invitation is unknown, used, revoked or expired/).waitFor();
  for (const each of [desk, guest, again]) await each.close();
});

test('each role sees its own rooms, and begins in the first of them [dashboard.console.people.rooms]', async () => {
  const owner = await world.newOwner();
  const rooms = {
    admin: [
      'Overview',
      'Mandates',
      'Approvals',
      'Transactions',
      'Agents',
      'Compliance',
      'API keys',
      'People',
      'Settings',
    ],
    approver: ['Overview', 'Mandates', 'Approvals', 'Transactions', 'Agents', 'Settings'],
    merchant: ['Transactions', 'Compliance', 'Settings'],
    operator: ['Transactions', 'Compliance', 'Settings'],
  } as const;
  const homes = { admin: 'Overview', approver: 'Overview', merchant: 'Transactions', operator: 'Compliance' };
  for (const role of ['admin', 'approver', 'merchant', 'operator'] as const) {
    const person = await newPerson(world, owner, role, [role]);
    const { page, faults, close } = await world.visit({ wallet: null });
    await signInByPassword(page, person);
    await heading(page, homes[role]);
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'hidden' });
    expect([role, await linksOf(page)]).toEqual([role, [...rooms[role]]]);
    expect([role, faults]).toEqual([role, []]);
    await close();
  }
});

test('a wrong password says so, and nothing of whether the name exists [dashboard.console.people]', async () => {
  const { userName, password } = await newPerson(world, await world.newOwner(), 'Ada', ['auditor']);
  const { page, close } = await world.visit({ wallet: null });
  for (const name of [userName, 'nobody.at.all']) {
    await signInByPassword(page, { userName: name, password: 'wrong' });
    await page.getByText('User name or password is wrong.').waitFor();
  }
  await signInByPassword(page, { userName, password });
  await heading(page, 'Overview');
  await close();
});

test('whoever is removed is signed out of the page that they look at within five seconds [dashboard.console.people.removed]', async () => {
  const owner = await world.newOwner();
  const person = await newPerson(world, owner, 'Grace', ['approver']);
  const guest = await world.visit({ wallet: null });
  await signInByPassword(guest.page, person);
  await heading(guest.page, 'Overview');
  await guest.page.locator('main [aria-busy=true]').first().waitFor({ state: 'hidden' });
  const desk = await world.visit({ wallet: owner.testWallet });
  await signIn(desk);
  await desk.page.goto('/people');
  await press(desk.page, 'Grace');
  await press(desk.page, 'Remove');
  await press(desk.page, 'Remove person');
  await desk.page.getByText('Person removed.').waitFor();
  const begun = Date.now();
  await heading(guest.page, 'Sign in with your wallet');
  expect(Date.now() - begun).toBeLessThan(5_000);
  for (const each of [desk, guest]) await each.close();
});

test('roles that change while a page is open change what it offers [dashboard.console.people.removed]', async () => {
  const owner = await world.newOwner();
  const person = await newPerson(world, owner, 'Grace', ['admin']);
  const guest = await world.visit({ wallet: null });
  await signInByPassword(guest.page, person);
  await heading(guest.page, 'Overview');
  const { token } = owner;
  const { data } = expectOk('people', await world.dashboard.listPeople({ token }));
  const id = data.find(({ name }) => name === 'Grace')?.id ?? '';
  expectOk(
    'roles',
    await world.dashboard.changeRoles({ token, params: { id }, body: { roles: ['approver'] } }),
  );
  await guest.page.getByRole('link', { name: 'API keys' }).first().waitFor({ state: 'detached' });
  expect(await linksOf(guest.page)).not.toContain('People');
  await guest.close();
});

/** A device that makes passkeys and signs with them, as Chromium pretends one (WebAuthn, 11). */
async function newDevice(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

test('somebody joins with a passkey and signs in with it again; a device that knows nobody does not [dashboard.console.people.passkey]', async () => {
  const owner = await world.newOwner();
  const body = { name: 'Hedy', roles: ['approver' as const] };
  const { token } = expectOk('invite', await world.dashboard.invitePerson({ token: owner.token, body }));
  const site = `http://localhost:${new URL(world.card.dashboardUrl ?? '').port}`;
  const { context, page, close } = await world.visit({ wallet: null });
  const device = await newDevice(context, page);
  await page.goto(`${site}/join#${token}`);
  await page.getByLabel('Your name').fill('Hedy L.');
  await press(page, 'Create a passkey');
  await heading(page, 'Overview');
  await page.goto(`${site}/settings`);
  await page.getByText('Hedy L., Approver').waitFor();

  await context.clearCookies();
  await page.goto(`${site}/sign-in`);
  await press(page, 'Sign in with a passkey');
  await heading(page, 'Overview');

  await context.clearCookies();
  await device.setVerified(false);
  await page.goto(`${site}/sign-in`);
  await press(page, 'Sign in with a passkey');
  await page.getByText('Your browser did not use a passkey.').waitFor();

  const stranger = await world.visit({ wallet: null });
  await newDevice(stranger.context, stranger.page);
  await stranger.page.goto(`${site}/sign-in`);
  await press(stranger.page, 'Sign in with a passkey');
  await stranger.page.getByText('Your browser did not use a passkey.').waitFor();
  await stranger.close();
  await close();
});

test('where there is no name there are no passkeys: none is offered at an IP address [dashboard.console.people.passkey]', async () => {
  const { page, close } = await world.visit({ wallet: null });
  await page.goto('/sign-in');
  await page.getByLabel('User name').waitFor();
  expect(await page.getByRole('button', { name: /passkey/ }).count()).toBe(0);
  await close();
});
