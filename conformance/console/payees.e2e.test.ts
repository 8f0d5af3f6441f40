import type { Account } from '@countersign/local/dashboard-account';
import { expectOk, logIn } from '@countersign/local/dashboard-account';
import { approve } from '@countersign/local/onboarding';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { narrow, signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectKeyboardReachesAll } from './fixtures/keyboard.ts';
import { expectAccessible, sideways } from './fixtures/looks.ts';
import { newTestWallet } from './fixtures/test-wallet.ts';

// Two operators who have to agree, in two browsers.
let world: TestConsole;
let first: Visit;
let second: Visit;
let gateway: Account & { readonly apiKey: string };
beforeAll(async () => {
  const key = newPrivateKey();
  const other = addressOfPrivateKey(keyBytes(key));
  world = await startConsole({ env: { KYC_FOUR_EYES: '1', OPERATOR_ADDRESSES: other } });
  first = await world.visit({ wallet: newTestWallet(world.chainId, world.card.operator.privateKey) });
  second = await world.visit({ wallet: newTestWallet(world.chainId, key) });
  await signIn(first);
  await signIn(second);
  const site = { origin: new URL(world.card.dashboardUrl ?? ''), chainId: world.chainId };
  const privateKey = newPrivateKey();
  const wallet = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
  const account = await logIn(world.dashboard, wallet, site);
  const { apiKey } = expectOk(
    'key',
    await world.dashboard.createKey({ token: account.token, body: { name: 'gateway' } }),
  );
  gateway = { ...account, apiKey };
  // Only a payer who may pay opens reviews; both operators must say so.
  for (const privateKey of [world.card.operator.privateKey, key]) {
    const desk = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
    await approve(world.dashboard, gateway, await logIn(world.dashboard, desk, site), 'Gateway');
  }
});
afterAll(() => world?.stop());

const newAddress = () => newTestWallet(world.chainId).account.address;

async function statusOf(walletAddress: string) {
  const body = { apiKey: gateway.apiKey, walletAddress };
  return expectOk('look', await world.dashboard.kycCheck({ body })).kycStatus;
}

/** As a gateway tells that it did not pay somebody. */
async function refuse(payee: string, serviceName: string): Promise<void> {
  const body = {
    apiKey: gateway.apiKey,
    serviceName,
    serviceResult: 'reject' as const,
    chain: 'base',
    amount: '0.25',
    tokenSymbol: 'USDC',
    payer: gateway.wallet.address,
    payee,
    payeeKytResult: 1 as const,
    payeeKytRiskLevel: 0,
    metadata: { code: 'PAYEE_KYC_NOT_APPROVED', toolName: 'get_quote', serviceHost: 'quotes.example' },
  };
  expectOk('report', await world.dashboard.reportTransaction({ body }));
}

test('an operator admits an unknown payee by keyboard, and it counts once the second agrees [dashboard.console.payees]', async () => {
  const payee = newAddress();
  const { page } = first;
  await page.goto('/compliance?view=unknown-payees');
  await page.getByText('No unknown payees').waitFor();
  await expectAccessible(page, 'Unknown payees-empty');
  await refuse(payee, 'Quotes');
  await page.getByRole('button', { name: 'Quotes' }).waitFor();
  await expectKeyboardReachesAll(page);
  await page.getByRole('button', { name: 'Quotes' }).focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  for (const told of ['quotes.example', 'get_quote', '0.25 USDC', 'Low risk', payee, gateway.wallet.address])
    await sheet.getByText(told).waitFor();
  await expectAccessible(page, 'Unknown payee');
  await sheet.getByRole('button', { name: 'Admit' }).press('Enter');
  await page.getByRole('button', { name: 'Admit payee' }).click();
  await page.getByText('Enter the legal name of the business.').waitFor();
  await expectAccessible(page, 'Admit a payee');
  expect(await page.getByLabel('Payout addresses').inputValue()).toBe(payee);
  // A host that was only told is not written down for the operator.
  expect(await page.getByLabel('Domain').inputValue()).toBe('');
  await page.getByLabel('Domain').fill('quotes.example');
  await page.getByLabel('Legal name').fill('Quotes & Co. KG');
  await page.getByLabel('Registry numbers').fill('HRB 1 B');
  await page.getByLabel('Note').fill('Read the register');
  await page.getByLabel('Note').press('Enter');
  await page.getByText('Recorded. A second operator must agree.').waitFor();
  expect(await statusOf(payee)).toBe('pending');

  const desk = second.page;
  await desk.goto('/compliance?view=payees&state=waiting');
  await desk.getByRole('row', { name: 'Quotes & Co. KG' }).getByText('1 of 2 operators').waitFor();
  await expectAccessible(desk, 'Payees');
  await desk.getByRole('button', { name: 'Quotes & Co. KG' }).focus();
  await desk.keyboard.press('Enter');
  await desk.getByText('Read the register').waitFor();
  await desk.getByText('HRB 1 B').waitFor();
  await expectAccessible(desk, 'Payee-one of two');
  await desk.getByRole('button', { name: 'Agree' }).focus();
  await desk.keyboard.press('Enter');
  await desk.getByText('Quotes & Co. KG is admitted.').waitFor();
  expect(await statusOf(payee)).toBe('approved');
  await page.goto('/compliance?view=unknown-payees');
  await page.getByText('No unknown payees').waitFor();
  expect([...first.faults, ...second.faults]).toEqual([]);
});

test('an operator turns a payee away with a reason, on a phone too [dashboard.console.payees]', async () => {
  const { page } = first;
  await refuse(newAddress(), 'Shady');
  await page.setViewportSize(narrow);
  await page.goto('/compliance?view=unknown-payees');
  await page.getByRole('button', { name: 'Shady' }).click();
  await page.getByRole('button', { name: 'Turn away' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn away' }).click();
  await page.getByText('Enter a reason. It goes on record.').waitFor();
  await page.getByLabel('Reason').fill('No such business.');
  await page.keyboard.press('Enter');
  await page.getByText('Turned away. Payments to it stay refused.').waitFor();
  await page.getByRole('link', { name: 'Turned away' }).click();
  await page.getByRole('button', { name: 'Shady' }).click();
  await page.getByText('No such business.').waitFor();
  await page.goto('/compliance?view=history&about=payees');
  await page.getByText('Payee turned away').waitFor();
  await expectAccessible(page, 'History-payees');
});

test('a file of payees tells row by row what is wrong; corrected it is imported [dashboard.console.payees.import]', async () => {
  const { page } = first;
  const [one, other] = [newAddress(), newAddress()];
  await page.goto('/compliance?view=payees');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const header = 'legal_name,domain,addresses,valid_until';
  const day = new Date(Date.now() + 864_000_000).toISOString().slice(0, 10);
  const csv = page.getByLabel('CSV');
  await csv.fill(`${header}\nArchive Ltd,archive.example,${one},${day}\n,news.example,${other},${day}`);
  await page.getByRole('button', { name: 'Import payees' }).click();
  await page.getByText('Row 3, legal_name: is missing').waitFor();
  await expectAccessible(page, 'Import payees');
  await csv.fill(
    `${header}\nArchive Ltd,archive.example,${one},${day}\nNews Ltd,news.example,${other},${day}`,
  );
  await page.getByRole('button', { name: 'Import payees' }).click();
  await page.getByText('2 payees imported.').waitFor();
  await page.getByRole('row', { name: 'News Ltd' }).waitFor();
});

test('a file is added to a record and read again, a change waits for two, a withdrawal does not [dashboard.console.payees.record]', async () => {
  const { page, faults } = first;
  const before = faults.length;
  const address = newAddress();
  const validUntil = new Date(Date.now() + 864_000_000).toISOString();
  const facts = {
    legalName: 'Weather AG',
    domain: 'weather.example',
    addresses: [{ address, networks: null }],
    validUntil,
  };
  const session = async (visit: Visit) => {
    const cookies = await visit.context.cookies();
    return cookies.find(({ name }) => name === 'platform_session')?.value ?? '';
  };
  const { payee } = expectOk(
    'create',
    await world.dashboard.createPayee({ token: await session(first), body: facts }),
  );
  const agreed = { token: await session(second), params: { id: payee.id }, body: { version: 1 } };
  expectOk('agree', await world.dashboard.admitPayee(agreed));

  await page.goto(`/compliance?view=payees&payee=${payee.id}`);
  await page
    .getByLabel('Add a file')
    .setInputFiles({ name: 'register.txt', mimeType: 'text/plain', buffer: Buffer.from('HRB 2 B') });
  await page.getByText('File added and sealed.').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'register.txt' }).click();
  expect((await download).suggestedFilename()).toBe('register.txt');
  // Nobody is there under this name: the control of what a domain says is the dashboard's own test.
  await page.getByRole('button', { name: 'Check the domain' }).click();
  await page.getByText('Nothing: it could not be reached').waitFor();
  await expectAccessible(page, 'Payee');

  await page.getByRole('button', { name: 'Erase' }).click();
  await page.getByLabel('Reason').fill('Names a private person.');
  await page.getByRole('button', { name: 'Erase file' }).click();
  await page.getByText('Recorded. A second operator must erase it too.').waitFor();
  const desk = second.page;
  await desk.goto(`/compliance?view=payees&payee=${payee.id}`);
  await desk.getByRole('button', { name: 'Erase' }).click();
  await expectAccessible(desk, 'Erase a file');
  await desk.getByLabel('Reason').fill('It does.');
  await desk.getByRole('button', { name: 'Erase file' }).click();
  await desk.getByText('File erased.').waitFor();
  await page.goto(`/compliance?view=payees&payee=${payee.id}`);
  await page.getByText('Erased', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Legal name').fill('Weather SE');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Recorded. A second operator must agree.').waitFor();
  await page.getByRole('button', { name: 'Weather AG' }).click();
  await page.getByRole('region', { name: 'Proposed change' }).getByText('Weather SE').waitFor();
  await expectAccessible(page, 'Payee-changed');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByLabel('Reason').fill('It closed.');
  await page.getByRole('button', { name: 'Withdraw payee' }).click();
  await page.getByText('Payments to its addresses are refused from now on.').waitFor();
  expect(await statusOf(address)).toBe('pending');
  expect(faults.slice(before)).toEqual([]);
});

test('addresses that look alike are told apart where an operator decides, on a phone too [dashboard.console.whole-addresses]', async () => {
  const { page } = first;
  await page.setViewportSize(narrow);
  const alike = ['1', '2'].map((digit) => `0x5290${digit.repeat(32)}0341`);
  for (const [n, payee] of alike.entries()) await refuse(payee, `Alike ${n}`);
  await page.goto('/compliance?view=unknown-payees');
  for (const [n, payee] of alike.entries()) {
    await page.getByRole('button', { name: `Alike ${n}` }).click();
    await page.getByRole('dialog').getByText(payee, { exact: true }).waitFor();
    expect(await page.evaluate<number>(sideways)).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  const cookies = await first.context.cookies();
  const token = cookies.find(({ name }) => name === 'platform_session')?.value ?? '';
  const addresses = alike.map((address) => ({ address, networks: null }));
  const validUntil = new Date(Date.now() + 864_000_000).toISOString();
  const body = { legalName: 'Alike AG', domain: 'alike.example', addresses, validUntil };
  const { payee } = expectOk('create', await world.dashboard.createPayee({ token, body }));
  // What the second operator agrees to.
  const desk = second.page;
  await desk.setViewportSize(narrow);
  await desk.goto(`/compliance?view=payees&payee=${payee.id}`);
  for (const address of alike) await desk.getByText(address, { exact: true }).waitFor();
  expect(await desk.evaluate<number>(sideways)).toBe(0);
});
