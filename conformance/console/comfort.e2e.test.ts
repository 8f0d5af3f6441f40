import { createLogger } from '@countersign/service/logger';
import { createPool, rows, statement } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { violations } from './fixtures/accessible.ts';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { consolePages, type Owner } from './fixtures/pages.ts';
import { liveALittle } from './fixtures/seed.ts';

let world: TestConsole;
let owner: Owner;
let visit: Visit;
beforeAll(async () => {
  world = await startConsole();
  owner = await world.newOwner();
  await liveALittle(world, owner);
  visit = await world.visit({ wallet: owner.testWallet });
  await signIn(visit);
});
afterAll(() => world.stop());

test('whoever asks for less motion gets none [dashboard.console.motion]', async () => {
  const { page } = visit;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/mandates');
  await page.getByRole('button', { name: 'New mandate' }).click();
  await page.getByRole('dialog').waitFor();
  const longest = `Math.max(0, ...document.getAnimations().map(({ effect }) => effect.getComputedTiming().activeDuration))`;
  expect(await page.evaluate<number>(longest)).toBeLessThan(1);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
});

test.each(consolePages)(
  '$heading at 200 % zoom loses nothing and never scrolls sideways [dashboard.console.zoom]',
  async ({ heading, path }) => {
    const { page } = visit;
    await page.setViewportSize({ width: 720, height: 450 });
    await page.goto(typeof path === 'string' ? path : await path(owner, world));
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await page.evaluate(cutOff)).toEqual([]);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  },
);

/** Texts that run out of the window, and are not in something that scrolls. */
const cutOff = `[...document.querySelectorAll('main h1, main h2, main p, main th, main td, main dd, main button, main a')]
  .filter((each) => each.checkVisibility() && !each.closest('.sr-only, pre, nav'))
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.textContent)`;

test('a toast stands in nobody’s way, in either theme [dashboard.console.accessible]', async () => {
  const { page } = visit;
  await page.goto('/settings');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.getByRole('button', { name: 'Copy address' }).first().click();
    await page.getByRole('status').getByText('Copied.').waitFor();
    expect(await violations(page)).toEqual([]);
  }
});

test('a credential that was tampered with in the dashboard’s own database does not verify in the browser [dashboard.console.mandates.verify]', async () => {
  const { page } = visit;
  const id = await world.newMandate(owner);
  const database = createPool(world.card.databaseUrl ?? '', createLogger('test', 'silent'), 1);
  onTestFinished(() => database.end());
  const forged = await rows(database, forgeBudget, [id]);
  expect(forged).toHaveLength(1);
  await page.goto(`/mandates/${id}`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The paying wallet signed it: no').waitFor();
});

const forgeBudget = statement(
  'test.forge-budget',
  `update dashboard.mandate set vc_json =
     jsonb_set(vc_json::jsonb, '{credentialSubject,budgetConstraints,totalBudget}', '"2000000"')::text
   where id = $1 returning id`,
);

test('the chosen theme is there before the first paint: no flash of the other one [dashboard.console.theme]', async () => {
  const { context } = visit;
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/icon.svg');
  await page.evaluate(`localStorage.setItem('countersign.theme', 'dark')`);
  // The console itself takes for ever to load; what the browser has of it already does not count.
  await page.route(/\/assets\/.*\.js$/, () => {});
  await page.goto('/settings', { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate('document.querySelector("#console")?.childElementCount')).toBe(0);
  // Nothing is painted before the styles are there.
  await expect.poll(() => page.evaluate('document.styleSheets.length')).toBeGreaterThan(0);
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  await page.evaluate(`localStorage.removeItem('countersign.theme')`);
  await page.close();
});
