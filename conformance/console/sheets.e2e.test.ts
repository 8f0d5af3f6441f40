import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { liveALittle } from './fixtures/seed.ts';
import { consoleSheets } from './fixtures/sheets.ts';

let world: TestConsole;
let visit: Visit;

beforeAll(async () => {
  world = await startConsole();
  const owner = await world.newOwner();
  await liveALittle(world, owner);
  visit = await world.visit({ wallet: owner.testWallet });
  await signIn(visit);
});
afterAll(() => world.stop());

test.each(consoleSheets)(
  '$title stands in nobody’s way, keeps the focus and fits [dashboard.console.accessible] [dashboard.console.keyboard]',
  async ({ title, path, open }) => {
    const { page, faults } = visit;
    faults.length = 0;
    await page.goto(path);
    await open(page);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    expect(await page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);
    await expectAccessible(page, title);
    expect(faults).toEqual([]);
  },
);
