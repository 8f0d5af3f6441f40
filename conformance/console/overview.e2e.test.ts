import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startConsole, type TestConsole } from './fixtures/console.ts';
import { liveALittle } from './fixtures/seed.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

test('the overview tells exactly what was spent, in a chart and in a table, and whether the checks answer [dashboard.console.overview]', async () => {
  const owner = await world.newOwner();
  await liveALittle(world, owner);
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page, faults, close } = visit;
  await signIn(visit);
  const spending = page.getByRole('region', { name: 'Spending' });
  // Paid by the seed: 0.01 + 1.25 + 2.5 + 0.000001 + 2.4.
  await spending.getByText('6.160001').first().waitFor();
  expect((await spending.getByRole('definition').allTextContents())[1]).toBe('5 payments');
  const chart = spending.getByRole('img', { name: /^Daily spending from .* highest day 6.160001 USDC/ });
  expect(await chart.locator('rect').count()).toBe(30);

  await spending.getByText('View as a table').click();
  const rows = spending.getByRole('table').getByRole('row');
  expect(await rows.count()).toBe(31);
  const today = new Date().toISOString().slice(0, 10);
  await spending.getByRole('row', { name: `${today} 5 6.160001 USDC` }).waitFor();
  await page.getByRole('region', { name: 'Checks' }).getByRole('link', { name: 'View checks' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
