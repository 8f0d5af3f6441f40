import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { violations } from './fixtures/accessible.ts';
import { narrow, signIn, startConsole, type TestConsole, type Visit, wide } from './fixtures/console.ts';
import { type ConsolePage, consolePages, type Owner } from './fixtures/pages.ts';
import { expectKeyboardReachesAll } from './fixtures/keyboard.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { photograph } from './fixtures/photograph.ts';
import { liveALittle } from './fixtures/seed.ts';

let world: TestConsole;
let owner: Owner;
let visit: Visit;
let stranger: Visit;

beforeAll(async () => {
  world = await startConsole();
  owner = await world.newOwner();
  await liveALittle(world, owner);
  const nobody = await world.newOwner();
  visit = await world.visit({ wallet: owner.testWallet });
  stranger = await world.visit({ wallet: nobody.testWallet });
  await signIn(visit);
  await signIn(stranger);
});
afterAll(() => world.stop());
afterEach(async () => {
  world.wire.mend();
  await visit.page.setViewportSize(wide);
  await visit.page.emulateMedia({ colorScheme: 'light' });
  visit.faults.length = 0;
});

const open = async (page: Page, { path, heading }: ConsolePage) => {
  await page.goto(typeof path === 'string' ? path : await path(owner, world));
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' });
};

describe.each(consolePages)('$heading', (about) => {
  test('nothing on it stands in anyone’s way: axe in both themes, wide and narrow [dashboard.console.accessible] [dashboard.console.own-origin]', async () => {
    const { page } = visit;
    await open(page, about);
    await expectAccessible(page, about.heading);
    expect(visit.faults).toEqual([]);
  });

  test('a keyboard reaches everything on it, in order, and sees where it is [dashboard.console.keyboard]', async () => {
    const { page } = visit;
    await open(page, about);
    await expectKeyboardReachesAll(page);
  });

  test.runIf(about.empty !== null)(
    'an empty one says so, and what to do [dashboard.console.states]',
    async () => {
      await open(stranger.page, about);
      await stranger.page
        .getByText(about.empty ?? '')
        .first()
        .waitFor();
      expect(await violations(stranger.page)).toEqual([]);
      await photograph(stranger.page, `${about.heading}-empty`);
    },
  );

  test('while it waits or cannot load it says so, and tries again when told to [dashboard.console.states]', async () => {
    const { page } = visit;
    const { wire } = world;
    const path = typeof about.path === 'string' ? about.path : await about.path(owner, world);
    const isRead = (each: string) => about.reads.includes(each);
    wire.hold(isRead);
    await page.goto(path);
    await page.locator('main [aria-busy=true]').first().waitFor();
    expect(await violations(page)).toEqual([]);
    wire.cut(isRead);
    await page.getByRole('alert').getByText('The dashboard did not respond.').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await photograph(page, `${about.heading}-error`);

    wire.mend();
    await page.evaluate(
      `document.querySelectorAll('main [role=alert] button').forEach((each) => each.click())`,
    );
    await page.getByRole('button', { name: 'Try again' }).first().waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1, name: about.heading }).waitFor();
  });
});

test.each(['reviews', 'deny-list'])(
  'what only operators may see says so to everybody else: %s [dashboard.console.states]',
  async (view) => {
    const { page } = visit;
    await page.goto(`/compliance?view=${view}`);
    await page.getByText('You do not have access').waitFor();
    expect(await violations(page)).toEqual([]);
    await photograph(page, `Forbidden-${view}`);
  },
);

test('signing in stands in nobody’s way either, with a wallet and without [dashboard.console.accessible] [dashboard.console.keyboard]', async () => {
  const { testWallet } = await world.newOwner();
  for (const wallet of [testWallet, null]) {
    const guest = await world.visit({ wallet });
    const { page } = guest;
    await page.goto('/sign-in');
    await page.getByRole('heading', { level: 1, name: 'Sign in with your wallet' }).waitFor();
    await expectAccessible(page, wallet === null ? 'Sign in without a wallet' : 'Sign in');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe(
      wallet === null ? 'Reload' : 'Continue with Test Wallet',
    );
    expect(guest.faults).toEqual([]);
    await guest.close();
  }
});

test('the sheet that shows what is signed stands in nobody’s way [dashboard.console.accessible]', async () => {
  const { page } = visit;
  await page.goto('/mandates?status=pending');
  await page.getByRole('link', { name: 'Travel agent' }).click();
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('dialog', { name: 'Review and sign' }).waitFor();
  await expectAccessible(page, 'Review');
});

test('the console asks nobody else for anything, and the session’s cookie is out of reach for scripts [dashboard.console.own-origin]', async () => {
  const { page } = visit;
  await open(page, consolePages[0] as ConsolePage);
  expect(await page.evaluate('document.cookie')).toBe('');
  const stored = await page.evaluate<string>('JSON.stringify(localStorage)');
  expect(stored).not.toMatch(/eyJ/);
});

test('the theme is chosen once and stays; without a choice it is the system’s [dashboard.console.theme]', async () => {
  const { page } = visit;
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
  await open(page, consolePages[0] as ConsolePage);
  expect(await scheme()).toBe('light dark');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  expect(await scheme()).toBe('dark');
  await page.reload();
  expect(await scheme()).toBe('dark');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
});

test('a sheet keeps the focus, closes on Escape and gives the focus back; on a phone the rest of the pages is under More [dashboard.console.keyboard]', async () => {
  const { page } = visit;
  await page.goto('/mandates');
  const opener = page.getByRole('button', { name: 'New mandate' });
  await opener.click();
  await page.getByRole('dialog', { name: 'New mandate' }).waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);
  await photograph(page, 'New mandate-1440-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  await photograph(page, 'New mandate-1440-dark');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New mandate');

  await page.setViewportSize(narrow);
  await page.getByRole('button', { name: 'More' }).click();
  expect(await violations(page)).toEqual([]);
  await photograph(page, 'More-390-light');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});
