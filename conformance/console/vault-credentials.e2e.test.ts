import { createPool, rows, statement } from '@countersign/service/sql';
import { createLogger } from '@countersign/service/logger';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { signInToVault, startVaultConsole } from './fixtures/vault.ts';

let world: Awaited<ReturnType<typeof startVaultConsole>>;
let visit: Visit;
/** Bodies of all that the page has sent to the vault. */
const sent: string[] = [];
beforeAll(async () => {
  world = await startVaultConsole();
  visit = await world.visit({ wallet: (await world.newOwner()).testWallet });
  visit.page.on('request', (request) => {
    if (request.url().startsWith(world.vaultWire.url)) sent.push(`${request.url()} ${request.postData()}`);
  });
  await signIn(visit);
});
afterAll(() => world.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an unknown user or wrong password is told beside the form, which keeps what was typed; no token outlives the page [vault.console.sign-in]', async () => {
  const { page } = visit;
  const user = await world.newUser('ada', '--tenant', 'analytical');
  await page.getByRole('link', { name: 'Credentials' }).click();
  await press(page, 'Sign in to the vault');
  await page.getByText('Enter your user name.').waitFor();
  await page.getByText('Enter your password.').waitFor();
  await expectAccessible(page, 'Vault sign in');
  await page.getByLabel('User name').fill(user.username);
  await page.getByLabel('Password').fill('something else');
  await press(page, 'Sign in to the vault');
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('User name').inputValue()).toBe(user.username);
  visit.faults.length = 0;

  await signInToVault(visit, user);
  await page.getByText('No credentials yet').waitFor();
  await page.getByText('SIMULATED').first().waitFor();
  await expectAccessible(page, 'Credentials-empty');
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
  expect(await page.evaluate<string>(stored)).not.toContain('v4.local');
  await page.reload();
  await signInToVault(visit, user);
  expect(visit.faults).toEqual([]);
});

const shown: Readonly<Record<string, readonly string[]>> = {
  'User name and password': ['User name', 'Password'],
  'API key': ['Key'],
  'OAuth token': ['Refresh token'],
  Certificate: ['Certificate'],
  'SSH key': ['Private key'],
  'Database connection': ['Host', 'Port', 'Database', 'User name', 'Password'],
  'Identity credential': ['Verifiable credential', 'Holder’s DID'],
};

const values: Readonly<Record<string, string>> = {
  'User name': 'ada',
  Password: 'correct horse battery staple',
  Key: 'sk_live_very_secret',
  'Refresh token': '1//refresh-very-secret',
  Certificate: '-----BEGIN CERTIFICATE-----\nMIIBverysecret\n-----END CERTIFICATE-----',
  'Private key': '-----BEGIN OPENSSH PRIVATE KEY-----\nverysecret\n-----END OPENSSH PRIVATE KEY-----',
  Host: 'db.internal',
  Port: '5432',
  Database: 'ledger',
  'Verifiable credential': JSON.stringify({
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential'],
    issuer: 'did:example:issuer',
    issuanceDate: '2026-01-01T00:00:00Z',
    credentialSubject: { id: 'did:example:ada' },
    proof: { type: 'Unknown2026' },
  }),
  'Holder’s DID': 'did:example:ada',
};

test.each(Object.entries(shown))(
  'a credential of the type %s is kept: faults stand beside their fields, and it leaves the browser sealed [vault.console.credentials] [vault.sealed.default-console]',
  async (type, fields) => {
    const { page, faults } = visit;
    sent.length = 0;
    await press(page, 'New credential');
    const sheet = page.getByRole('dialog', { name: 'New credential' });
    await sheet.getByLabel('Type').selectOption(type);
    await press(page, 'Seal and save');
    await sheet.getByText('Enter the service it is for.').waitFor();
    expect(await sheet.getByText('This field is required.').count()).toBe(fields.length);
    // In the next frame.
    await sheet.locator('[aria-invalid=true]:focus').waitFor();
    if (type === 'Database connection') await expectAccessible(page, 'New credential');

    await sheet.getByLabel('Service').fill(`svc ${type}`);
    for (const field of fields) await sheet.getByLabel(field, { exact: true }).fill(values[field] ?? '');
    await sheet.getByLabel('Label', { exact: true }).fill('for the tests');
    await sheet.getByLabel('Where it may be used').fill('https://shop.example/account/*');
    await press(page, 'Seal and save');
    await page.getByText(`Credential for svc ${type} saved.`).waitFor();
    await row(page, `svc ${type}`).waitFor();

    const created = sent.filter((each) => each.includes('sealed_data'));
    expect(created).toHaveLength(1);
    const secrets = fields
      .flatMap((field) => values[field]?.split('\n') ?? [])
      .filter((each) => each.length > 8);
    expect(secrets.filter((secret) => sent.join().includes(secret) && !secret.startsWith('-----'))).toEqual(
      [],
    );
    expect(faults).toEqual([]);
  },
);

test('the list is narrowed by type and service, and a row tells what is known without opening it [vault.console.credentials]', async () => {
  const { page } = visit;
  await expectAccessible(page, 'Credentials');
  const filters = page.getByRole('form', { name: 'Filters' });
  await filters.getByLabel('Type').selectOption('SSH key');
  await filters.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('/vault/credentials?type=ssh_key');
  await row(page, 'svc SSH key').waitFor();
  expect(await page.getByRole('table').getByRole('row').count()).toBe(2);
  await filters.getByLabel('Service').fill('nothing');
  await page.keyboard.press('Enter');
  await page.getByText('No matching credentials').waitFor();
  await page.goBack();
  await row(page, 'svc SSH key').click();
  const sheet = page.getByRole('dialog', { name: 'svc SSH key' });
  await sheet.getByText('https://shop.example/account/*').waitFor();
  await sheet.getByRole('button', { name: 'Copy fingerprint' }).waitFor();
  await expectAccessible(page, 'Credential');
  await page.keyboard.press('Escape');
});

test('where a credential may be used is listed; an address is named and revoked there, and without any it says what happens [vault.console.uses]', async () => {
  const { page, faults } = visit;
  await row(page, 'svc SSH key').click();
  const places = page.getByRole('dialog').getByRole('region', { name: 'Where it may be used' });
  await places.getByLabel('Allow another address').fill('shop.example');
  await press(page, 'Allow');
  await places.getByText('Not an address such as').waitFor();
  await places.getByLabel('Allow another address').fill('https://bank.example');
  await page.keyboard.press('Enter');
  await places.getByText('https://bank.example', { exact: true }).waitFor();
  await expectAccessible(page, 'Credential-places');
  await press(page, 'Revoke https://shop.example/account/*');
  await press(page, 'Revoke https://bank.example');
  await places.getByText('Nowhere yet.').waitFor();
  await expectAccessible(page, 'Credential-nowhere');
  await page.keyboard.press('Escape');
  expect(faults).toEqual([]);
});

test('a person decrypts with a reason on record; the value comes sealed to the browser, is shown once, and hides again [vault.console.decrypt]', async () => {
  const { page, faults } = visit;
  await page.getByRole('form', { name: 'Filters' }).getByLabel('Type').selectOption('Any');
  await press(page, 'Apply');
  await page.clock.install();
  await row(page, 'svc User name and password').click();
  await press(page, 'Decrypt');
  await press(page, 'Decrypt credential');
  await page.getByText('Enter a reason. It goes on record.').waitFor();
  await expectAccessible(page, 'Decrypt');
  await page.getByLabel('Reason').fill('Checking the form');
  const answered = page.waitForResponse((response) => response.url().endsWith('/decrypt') && response.ok());
  await press(page, 'Decrypt credential');
  expect(await (await answered).json()).toMatchObject({
    sealed_data: expect.any(String),
    audit_id: expect.any(String),
  });
  expect(await (await answered).text()).not.toContain('horse');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('correct horse battery staple').waitFor();
  await expectAccessible(page, 'Decrypted');
  await page.clock.fastForward('01:01');
  await sheet.getByText('Hidden').waitFor();
  expect(await page.content()).not.toContain('horse');
  await press(page, 'Hide now');
  await page.clock.resume();
  expect(faults).toEqual([]);
});

test('a deleted credential is gone, after being asked once more [vault.console.credentials]', async () => {
  const { page } = visit;
  await row(page, 'svc API key').click();
  await press(page, 'Delete');
  await expectAccessible(page, 'Delete credential');
  await press(page, 'Delete credential');
  await page.getByText('Credential for svc API key deleted.').waitFor();
  await row(page, 'svc API key').waitFor({ state: 'hidden' });
});

const restrict = statement(
  'test.restrict',
  `update vault.account set scopes = $2 where name = $1 returning name`,
);

test('a user without the scope is told so, on the page and in the form [vault.console.states]', async () => {
  const user = await world.newUser('grace', '--tenant', 'analytical');
  const database = createPool(world.card.databaseUrl ?? '', createLogger('test', 'silent'), 1);
  await rows(database, restrict, [user.username, ['credential:write']]);
  await database.end();
  const other = await world.visit({ wallet: (await world.newOwner()).testWallet });
  const { page } = other;
  await signIn(other);
  await page.goto('/vault/credentials');
  await signInToVault(other, user);
  await page.getByText('You do not have access').waitFor();
  await expectAccessible(page, 'Credentials-forbidden');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText('You do not have access').waitFor();
  await press(page, 'Sign out of the vault');
  await page.getByRole('heading', { name: 'Sign in to the vault' }).waitFor();
  await other.close();
});
