import { readFile } from 'node:fs/promises';
import { expectOk } from '@countersign/local/dashboard-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { liveALittle } from './fixtures/seed.ts';

let world: TestConsole;
let visit: Visit;
let ownerAddress: string;
let apiKey: string;
const hash = `0x${'ab'.repeat(32)}`;

beforeAll(async () => {
  world = await startConsole();
  const owner = await world.newOwner();
  ownerAddress = owner.wallet.address;
  await liveALittle(world, owner);
  const { token } = owner;
  ({ apiKey } = expectOk('key', await world.dashboard.createKey({ token, body: { name: 'log' } })));
  for (let index = 0; index < 24; index++)
    expectOk('report', await report({ metadata: { traceId: `bulk-${index}` } }));
  const paper = { serviceName: 'papers', txHash: hash };
  expectOk('report', await report({ ...paper, metadata: { toolName: 'get_paper', receiptHash: hash } }));
  visit = await world.visit({ wallet: owner.testWallet });
  await signIn(visit);
});
afterAll(() => world.stop());

const usual = {
  serviceName: 'weather',
  serviceResult: 'pass',
  chain: 'base-sepolia',
  amount: '0.05',
  tokenSymbol: 'USDC',
  payerKycResult: 1,
  payerKytResult: 1,
  payerKytRiskLevel: 0,
  payeeKycResult: 1,
  payeeKytResult: 0,
  payeeKytRiskLevel: 2,
} as const;

const report = (more: object) => {
  const body = { ...usual, payer: ownerAddress, payee: world.card.merchant.address, apiKey, ...more };
  return world.dashboard.reportTransaction({ body });
};

const rows = () => visit.page.getByRole('table').getByRole('row');

test('the list is narrowed by filters that stand in the address, and paged [dashboard.console.transactions.filter] [dashboard.console.pager]', async () => {
  const { page } = visit;
  await page.goto('/transactions');
  await page.getByText('Page 1 of 2 · 31 total').waitFor();
  expect(await rows().count()).toBe(26);
  await expectAccessible(page, 'Transactions paged');
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('Page 2 of 2').waitFor();
  expect(await rows().count()).toBe(7);

  await page.getByLabel('Result').selectOption('Refused');
  await page.getByLabel('When').selectOption('Last 7 days');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('/transactions?result=reject&period=week');
  await page.getByRole('row', { name: /archive/ }).waitFor();
  expect(await rows().count()).toBe(2);
  await page.getByRole('link', { name: 'To you' }).click();
  await page.getByText('No matching transactions').waitFor();
  await page.reload();
  await page.getByText('No matching transactions').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL('/transactions?scope=myPayee');
  await page.getByLabel('When').selectOption('Custom range');
  await page.getByLabel('Start date').fill('2026-01-02');
  await page.getByLabel('End date').fill('2026-01-01');
  await page.getByText('The end date is before the start date.').waitFor();
  await expectAccessible(page, 'Transactions-range');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByLabel('End date').fill('2026-01-31');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('/transactions?from=2026-01-02&to=2026-01-31&scope=myPayee');
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByText('No matching transactions').waitFor();
  await page.getByLabel('End date').fill('');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('/transactions?from=2026-01-02');
  await page.getByText('31 total').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'From you' }).click();
  await page.waitForURL('/transactions?scope=myPayer');
  await page.getByLabel('Service').fill('papers');
  await page.keyboard.press('Enter');
  await page.waitForURL('/transactions?service=papers&scope=myPayer');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  await page.getByRole('row', { name: /papers/ }).waitFor();
  expect(await rows().count()).toBe(2);
  await page.goto(`/transactions?hash=${hash}&chain=base-sepolia`);
  await page.getByRole('row', { name: /papers/ }).waitFor();
  await expectAccessible(page, 'Transactions filtered');
  await page.goto('/transactions?result=none&page=0&hash=&open=x');
  await page.getByText('Page 1 of 2 · 31 total').waitFor();
  expect(visit.faults).toEqual([]);
});

test('what others merely claim stands apart, says so, and shows no screening as ours [dashboard.console.transactions.claims]', async () => {
  const { page } = visit;
  const stranger = await world.newOwner();
  const { token } = stranger;
  const { apiKey } = expectOk('key', await world.dashboard.createKey({ token, body: { name: 'log' } }));
  const parties = { payer: stranger.wallet.address, payee: ownerAddress };
  const body = { ...usual, ...parties, amount: '4999', serviceName: 'free money', apiKey };
  expectOk('report', await world.dashboard.reportTransaction({ body }));
  await page.goto('/transactions');
  await page.getByText('31 total').waitFor();
  await page.getByRole('link', { name: 'Claimed by others' }).click();
  await page.waitForURL('/transactions?standing=claimed');
  await page.getByText('Nothing else confirms these reports').waitFor();
  await page.getByRole('row', { name: /free money.*Says paid.*Claim.*4,999/ }).waitFor();
  expect(await rows().count()).toBe(2);
  await expectAccessible(page, 'Transactions claimed');
  await page.getByRole('link', { name: 'free money' }).click();
  const sheet = page.getByRole('dialog', { name: /^Transaction \d+$/ });
  await sheet.getByText('Only the payer reports it').waitFor();
  await sheet.getByText('Not recorded').first().waitFor();
  expect(await sheet.getByText('Verified').count()).toBe(0);
  await expectAccessible(page, 'Transaction claimed');
  await page.keyboard.press('Escape');
  await page.getByLabel('Result').selectOption('Refused');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('/transactions?result=reject&standing=claimed');
  await page.getByText('No matching transactions').waitFor();
});

test('a record is opened with both parties’ screening, mandate, metadata and receipt; the address leads there again [dashboard.console.transactions.open]', async () => {
  const { page } = visit;
  await page.goto('/transactions?service=papers');
  await page.getByRole('link', { name: 'papers' }).click();
  const sheet = page.getByRole('dialog', { name: /^Transaction \d+$/ });
  await sheet.getByText('0.05 USDC').waitFor();
  const payer = sheet.getByRole('region', { name: 'Payer' });
  await payer.getByText('Verified').waitFor();
  await payer.getByText('Low risk').waitFor();
  const payee = sheet.getByRole('region', { name: 'Payee' });
  await payee.getByText('Not passed').waitFor();
  await payee.getByText('High risk').waitFor();
  await sheet.getByText('Decision receipt').waitFor();
  await sheet.getByText('"toolName": "get_paper"').waitFor();
  await expectAccessible(page, 'Transaction');

  await page.reload();
  await sheet.getByText('0.05 USDC').waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await page.waitForURL('/transactions?service=papers');
  await page.goto('/transactions?open=999999999');
  await page.getByRole('dialog').getByRole('alert').getByText('Could not load this').waitFor();
  await page.goto('/transactions?service=quotes');
  await page.getByRole('link', { name: 'quotes' }).first().click();
  await page.getByRole('link', { name: 'View mandate' }).click();
  await page.getByRole('heading', { level: 1, name: /^Research agent/ }).waitFor();
});

test('“Today” says which time zone: the browser’s in the filter, UTC where the dashboard adds up [dashboard.console.time-zone]', async () => {
  const { page } = visit;
  await page.goto('/transactions');
  const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
  await page.getByLabel('When').selectOption(`Today (${zone})`);
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('/transactions?period=today');
  await page.goto('/');
  for (const name of ['Today (UTC)', 'This month (UTC)'])
    await page.getByText(name, { exact: true }).waitFor();
});

test('what the filters leave is downloaded as CSV, all of it [dashboard.console.transactions.csv]', async () => {
  const { page } = visit;
  const download = async (path: string) => {
    await page.goto(path);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    return (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  };
  const all = await download('/transactions');
  expect(all).toHaveLength(32);
  expect(all[0]).toContain('serviceName,serviceResult');
  const refused = await download('/transactions?result=reject&period=today');
  expect(refused).toHaveLength(2);
  expect(refused[1]).toContain('reject');
});

test('the way to an explorer stands only where the explorer has the chain: not on the local one that has its id [dashboard.console.transactions.explorer]', async () => {
  const { page } = visit;
  expectOk('report', await report({ serviceName: 'far away', chain: 'base', txHash: hash }));
  await page.goto('/transactions?service=far+away');
  await page.getByRole('link', { name: 'far away' }).click();
  const link = page.getByRole('dialog').getByRole('link', { name: 'Explorer' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`https://basescan.org/tx/${hash}`);
  // The console knows by now which chain is local: it asks once.
  await page.keyboard.press('Escape');
  await page.getByLabel('Service').fill('papers');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'papers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy hash' }).first().waitFor();
  expect(await link.count()).toBe(0);
});
