import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { narrow, signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectAccessible, sideways } from './fixtures/looks.ts';
import { newTestWallet } from './fixtures/test-wallet.ts';

let world: TestConsole;
let operator: Visit;
beforeAll(async () => {
  world = await startConsole();
  operator = await world.visit({ wallet: newTestWallet(world.chainId, world.card.operator.privateKey) });
  await signIn(operator);
});
afterAll(() => world?.stop());

test('a business submits itself with an address that signs; an operator rejects it, then admits it, and it reads both [dashboard.console.business]', async () => {
  const owner = await world.newOwner();
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await page.goto('/compliance');
  await page.getByRole('button', { name: 'Submit a business' }).click();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Enter the legal name of the business.').waitFor();
  await expectAccessible(page, 'Submit a business');
  await page.getByLabel('Legal name').fill('Larkfield Ltd');
  await page.getByLabel('Domain').fill('larkfield.invalid');
  await page.getByLabel('Registry numbers').fill('HRB 7');

  // The other address is another account of the same wallet.
  const till = privateKeyToAccount(generatePrivateKey());
  await page.getByLabel('Another address').fill(till.address);
  await page.getByRole('button', { name: 'Sign with this address' }).click();
  await page.getByText('It is currently set to').waitFor();
  const mine = owner.testWallet.account;
  await owner.testWallet.choose(till);
  await page.getByRole('button', { name: 'Sign with this address' }).click();
  await page.getByRole('dialog').getByText(till.address, { exact: true }).waitFor();
  await owner.testWallet.choose(mine);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Your business is under review.').waitFor();
  await page
    .getByLabel('Add a file')
    .setInputFiles({ name: 'entry.txt', mimeType: 'text/plain', buffer: Buffer.from('HRB 7') });
  await page.getByText('File added and sealed.').waitFor();
  await expectAccessible(page, 'Your business');

  const desk = operator.page;
  await desk.goto('/compliance');
  await desk.getByRole('link', { name: 'Businesses' }).click();
  await desk.getByRole('button', { name: 'Larkfield Ltd' }).click();
  for (const address of [mine.address, till.address])
    await desk.getByRole('dialog').getByText(address, { exact: true }).first().waitFor();
  await desk.getByText('Its domain: Nothing: it could not be reached').first().waitFor();
  await expectAccessible(desk, 'Business');
  const download = desk.waitForEvent('download');
  await desk.getByRole('button', { name: 'entry.txt' }).click();
  expect((await download).suggestedFilename()).toBe('entry.txt');
  await desk.getByRole('button', { name: 'Reject' }).click();
  await desk.getByLabel('Reason').fill('The register has no such entry');
  await desk.getByRole('button', { name: 'Reject business' }).click();
  await desk.getByText('The business is rejected.').waitFor();

  await page.reload();
  await page.getByText('The register has no such entry').waitFor();
  await page.getByRole('button', { name: 'Submit again' }).click();
  // It begins with what was submitted last; an address that does not sign again is left out.
  expect(await page.getByLabel('Domain').inputValue()).toBe('larkfield.invalid');
  expect(await page.getByLabel('Registry numbers').inputValue()).toBe('HRB 7');
  await page.getByRole('button', { name: 'Keep this address' }).waitFor();
  await expectAccessible(page, 'Submit again');
  await page.getByLabel('Legal name').fill('Larkfield plc');
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Your business is under review.').waitFor();

  await desk.setViewportSize(narrow);
  await desk.goto('/compliance?view=businesses');
  await desk.getByRole('button', { name: 'Larkfield plc' }).click();
  expect(await desk.evaluate<number>(sideways)).toBe(0);
  await desk.getByRole('button', { name: 'Admit' }).click();
  await expectAccessible(desk, 'Admit business');
  await desk.getByRole('button', { name: 'Admit business' }).click();
  await desk.getByText('The business is admitted.').waitFor();
  await page.reload();
  await page.getByText('Your business is admitted').waitFor();

  // A later one is read beside the record that it changes.
  await page.getByRole('button', { name: 'Submit again' }).click();
  await page.getByLabel('Registry numbers').fill('HRB 8');
  await owner.testWallet.choose(till);
  await page.getByLabel('Another address').fill(till.address);
  await page.getByRole('button', { name: 'Sign with this address' }).click();
  await page.getByRole('dialog').getByText(till.address, { exact: true }).waitFor();
  await owner.testWallet.choose(mine);
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Your business is under review.').waitFor();
  await desk.goto('/compliance?view=businesses');
  await desk.getByRole('button', { name: 'Larkfield plc' }).click();
  const changes = desk.getByRole('region', { name: 'What it changes' });
  for (const change of ['Address added', 'Registry number dropped', 'Registry number added'])
    await changes.getByText(change).waitFor();
  await desk.getByRole('region', { name: 'Its record' }).getByText('HRB 7').waitFor();
  await expectAccessible(desk, 'Business that changes its record');
  expect(await desk.evaluate<number>(sideways)).toBe(0);
  await desk.getByRole('button', { name: 'Admit' }).click();
  await desk.getByRole('button', { name: 'Admit business' }).click();
  await desk.getByText('The business is admitted.').waitFor();
  expect([...visit.faults, ...operator.faults]).toEqual([]);
  await visit.close();
});
