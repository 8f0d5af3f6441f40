import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@countersign/local/service-process';
import { ownedProcesses } from '@countersign/service/owned-process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pace } from '../fixtures/pace.ts';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { startSumsub } from './fixtures/sumsub.ts';

let sumsub: Awaited<ReturnType<typeof startSumsub>>;
let world: TestConsole;
let visit: Visit;
beforeAll(async () => {
  sumsub = await startSumsub();
  // Without the part that imports a list.
  world = await startConsole({ env: sumsub.env, only: ['dashboard'] });
  visit = await world.visit({ wallet: (await world.newOwner()).testWallet });
  await signIn(visit);
});
afterAll(async () => {
  await world.stop();
  await sumsub.stop();
});

const oldDay = new Date(Date.now() - 9 * 24 * 60 * 60_000);

/** OFAC's own form, published nine days ago. */
async function importOldList(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sdn-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [year, month, day] = oldDay.toISOString().slice(0, 10).split('-');
  const file = join(folder, 'SDN.XML');
  writeFileSync(
    file,
    `<?xml version="1.0" standalone="yes"?>
<sdnList><publshInformation><Publish_Date>${month}/${day}/${year}</Publish_Date></publshInformation>
<sdnEntry><uid>1</uid><lastName>SOMEBODY</lastName><sdnType>Individual</sdnType><idList><id><uid>2</uid>
<idType>Digital Currency Address - ETH</idType><idNumber>0x00000000000000000000000000000000000bad02</idNumber></id>
</idList></sdnEntry></sdnList>`,
  );
  const env = { PATH: process.env['PATH'], DATABASE_URL: world.card.databaseUrl ?? '' };
  const processes = await ownedProcesses();
  await runCommand(processes, { name: 'import', argv: ['compliance', 'import', file], env });
}

test('a list that was never imported, and one that is too old, are told on the overview and beside the checks [dashboard.console.checks]', async () => {
  const { page, faults } = visit;
  const told = page.getByRole('status').filter({ hasText: 'Payments that cannot be checked are refused.' });
  await page.goto('/');
  await told.getByText('OFAC sanctions list (SDN) was never imported.').waitFor();
  await importOldList();
  await page.reload();
  await told.getByText('OFAC sanctions list (SDN) is older than 7 days.').waitFor();
  await expectAccessible(page, 'Overview-old list');
  await told.getByRole('link', { name: 'View checks' }).click();

  await page.getByRole('heading', { level: 1, name: 'Compliance' }).waitFor();
  const row = page.getByRole('row', { name: /OFAC sanctions list/ });
  await row.getByText('List out of date').waitFor();
  expect((await row.locator('time').getAttribute('datetime'))?.slice(0, 10)).toBe(
    oldDay.toISOString().slice(0, 10),
  );
  await told.getByText('is older than 7 days').waitFor();
  await expectAccessible(page, 'Compliance-old list');
  await page.getByRole('textbox', { name: 'Address' }).fill(world.card.merchant.address);
  await page.getByRole('button', { name: 'Screen address' }).click();
  await page.getByRole('alert').getByText('This is not a pass.').waitFor();
  expect(faults.filter((fault) => !fault.includes('status of 500'))).toEqual([]);
});

test('where a vendor verifies people, the owner is led to its page, and to none that is not secure [dashboard.console.compliance.vendor]', async () => {
  const { page } = visit;
  await page.goto('/compliance');
  sumsub.sendsTo('http://in.sumsub.invalid/websdk/p/');
  await page.getByRole('button', { name: 'Continue at Sumsub' }).click();
  await page.getByRole('alert').getByText('Something went wrong on the server.').waitFor();
  sumsub.sendsTo('https://in.sumsub.invalid/websdk/p/');
  const led = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole('button', { name: 'Continue at Sumsub' }).click();
  expect((await led).url()).toMatch(/^https:\/\/in\.sumsub\.invalid\/websdk\/p\/\w+/);
});

test('a vendor that is down is told on the overview and beside the checks, until it answers [dashboard.console.checks]', async () => {
  await sumsub.stop();
  // Somebody about whom it was not asked before.
  const newcomer = await world.visit({ wallet: (await world.newOwner()).testWallet });
  const { page } = newcomer;
  await signIn(newcomer);
  await page.goto('/compliance');
  const identity = page.getByRole('region', { name: 'Your identity' });
  await identity.getByRole('alert').getByText('Something went wrong on the server.').waitFor();
  await page.reload();
  await page
    .getByRole('row', { name: /Sumsub/ })
    .getByText('Not responding')
    .waitFor();
  await expectAccessible(page, 'Compliance-down');
  await page.goto('/');
  await page.getByText('Sumsub is not responding.').waitFor();

  await sumsub.startAgain();
  // After five failures in a row it rests for 30 s; whoever looks again after that gets an answer.
  const begin = page.getByRole('button', { name: 'Continue at Sumsub' });
  const nextTime = pace();
  do {
    await nextTime();
    await page.goto('/compliance');
    await begin.or(identity.getByRole('alert')).first().waitFor();
  } while (!(await begin.isVisible()));
  await page.reload();
  await page
    .getByRole('row', { name: /Sumsub/ })
    .getByText('Responding', { exact: true })
    .waitFor();
  await newcomer.close();
});
