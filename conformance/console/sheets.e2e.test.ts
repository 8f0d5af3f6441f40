import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './fixtures/accessible.ts';
import { narrow, signIn, startConsole, type TestConsole, type Visit, wide } from './fixtures/console.ts';
import { photograph } from './fixtures/photograph.ts';
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

const sideways = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog[open]'))`;

test.each(consoleSheets)(
  '$title stands in nobody’s way, keeps the focus and fits [dashboard.console.accessible] [dashboard.console.keyboard]',
  async ({ title, path, open }) => {
    const { page, faults } = visit;
    faults.length = 0;
    await page.setViewportSize(wide);
    await page.goto(path);
    await open(page);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    expect(await page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const name = `${title} ${viewport.width} ${colorScheme}`;
        expect([name, ...(await violations(page))]).toEqual([name]);
        await photograph(page, name);
      }
      const overflow = await page.evaluate(sideways);
      expect([title, viewport.width, overflow]).toEqual([title, viewport.width, 0]);
    }
    expect(faults).toEqual([]);
  },
);
