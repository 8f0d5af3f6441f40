import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { countersign } from '@countersign/local/countersign';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from './fixtures/accessible.ts';
import { signIn, type Visit } from './fixtures/console.ts';
import { expectKeyboardReachesAll } from './fixtures/keyboard.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { signInToVault, startVaultConsole } from './fixtures/vault.ts';

let world: Awaited<ReturnType<typeof startVaultConsole>>;
let visit: Visit;
let user: { username: string; password: string };
/** The token with which the page asked last. */
let shown = '';
beforeAll(async () => {
  world = await startVaultConsole();
  user = await world.newUser('ada');
  visit = await world.visit({ wallet: (await world.newOwner()).testWallet });
  visit.page.on('request', (request) => {
    shown = request.headers()['authorization']?.replace('Bearer ', '') ?? shown;
  });
  await signIn(visit);
  await visit.page.goto('/vault/tokens');
  await signInToVault(visit, user);
});
afterAll(() => world.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const ask = (path: string, token: string, init: RequestInit = {}) =>
  fetch(new URL(path, world.vaultWire.url), {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });

/** The exit code of `countersign ARGS`. */
const verdictOf = (...words: readonly string[]) => {
  const { command, args } = countersign(...words);
  return new Promise<number>((resolve) => {
    execFile(command, args, (error) => resolve(typeof error?.code === 'number' ? error.code : 0));
  });
};

test('a token gets no more than its user may, is shown once, works, and works no more once it is revoked [vault.console.tokens]', async () => {
  const { page } = visit;
  await page.getByText('No tokens yet').waitFor();
  await press(page, 'New token');
  await press(page, 'Create token');
  await page.getByText('Enter a name that you will recognise.').waitFor();
  await page.getByText('Choose what it may do.').waitFor();
  await page.getByLabel('Agent', { exact: true }).fill('agent');
  await page.getByText('Enter a DID that begins with did:.').waitFor();
  await expectAccessible(page, 'New token');
  await page.getByLabel('Name').fill('research agent');
  await page.getByLabel('Agent', { exact: true }).fill('did:web:agent.example');
  await page.getByRole('checkbox', { name: 'admin' }).check();
  await press(page, 'Create token');
  await page.getByRole('alert').waitFor();
  await page.getByRole('checkbox', { name: 'admin' }).uncheck();
  await page.getByRole('checkbox', { name: 'credential:use' }).check();
  await page.getByText('30 days').click();
  await press(page, 'Create token');
  const text = (await page.getByRole('group', { name: 'The token' }).textContent()) ?? '';
  expect(text).toMatch(/^v4\.local\./);
  await expectAccessible(page, 'Copy your token now');
  await press(page, 'Copy token');
  await press(page, 'Done');
  expect((await ask('/api/v1/credentials', text)).status).toBe(200);
  expect((await ask('/api/v1/audit/logs', text)).status).toBe(403);

  await expectAccessible(page, 'Tokens');
  await page.getByRole('button', { name: 'research agent' }).click();
  await page.getByText('did:web:agent.example').waitFor();
  await expectAccessible(page, 'Token');
  await press(page, 'Revoke');
  await press(page, 'Revoke token');
  await page.getByText('“research agent” revoked.').waitFor();
  await page.getByRole('row', { name: /research agent Revoked/ }).waitFor();
  expect((await ask('/api/v1/credentials', text)).status).toBe(401);
});

test('a token is bound to chosen credentials in its form, and reaches no other; each scope says in a sentence what it means [vault.console.tokens] [vault.console.token-credentials]', async () => {
  const { page } = visit;
  const keep = async (service_id: string) => {
    const body = JSON.stringify({ service_id, credential_type: 'api_key', plaintext_data: { key: 'k' } });
    return (
      (await (await ask('/api/v1/credentials', shown, { method: 'POST', body })).json()) as { id: string }
    ).id;
  };
  const [bakery, bank] = [await keep('Larkfield Bakery'), await keep('Harbour Bank')];
  await press(page, 'New token');
  const form = page.getByRole('dialog', { name: 'New token' });
  for (const [scope, says] of [
    ['credential:use', 'without ever seeing a secret'],
    ['credential:read', 'No secrets, and nothing is used'],
    ['credential:decrypt', 'Read secrets as plain text'],
  ] as const)
    await form.getByRole('checkbox', { name: new RegExp(`^${scope}.*${says}`) }).waitFor();
  await form.getByLabel('Name').fill('bakery agent');
  await form.getByRole('checkbox', { name: 'credential:use' }).check();
  await form.getByText('It can use every credential of your tenant').waitFor();
  await form.getByText('Only these').click();
  await form.getByRole('checkbox', { name: /Harbour Bank/ }).waitFor();
  await press(page, 'Create token');
  await form.getByText('Choose at least one credential, or All.').waitFor();
  await form.getByRole('checkbox', { name: /Larkfield Bakery/ }).check();
  await expectAccessible(page, 'New-token-credentials');
  await press(page, 'Create token');
  const text = (await page.getByRole('group', { name: 'The token' }).textContent()) ?? '';
  await press(page, 'Copy token');
  await press(page, 'Done');
  const reached = (await (await ask('/api/v1/credentials', text)).json()) as { items: { id: string }[] };
  expect(reached.items.map(({ id }) => id)).toEqual([bakery]);
  expect((await ask(`/api/v1/credentials/${bank}`, text)).status).toBe(404);
  await page.getByRole('button', { name: 'bakery agent' }).click();
  const sheet = page.getByRole('dialog', { name: 'bakery agent' });
  await sheet.getByText('Larkfield Bakery').waitFor();
  await expectAccessible(page, 'Token-credentials');
  await sheet.getByRole('link', { name: 'View activity' }).click();
  await page.getByText('No matching records').waitFor();
  expect(new URL(page.url()).searchParams.get('who')).toMatch(/^token:[0-9a-f-]{36}$/);
});

test('a record is verified in three steps and on chain; its proof and the export hold offline, until a byte is changed [vault.console.audit]', async () => {
  const { page } = visit;
  const made = await ask('/api/v1/credentials', shown, {
    method: 'POST',
    body: JSON.stringify({ service_id: 'shop', credential_type: 'api_key', plaintext_data: { key: 'k' } }),
  });
  const { id } = (await made.json()) as { id: string };
  for (const reason of ['first look', 'second look']) {
    const body = JSON.stringify({ reason });
    expect((await ask(`/api/v1/credentials/${id}/decrypt`, shown, { method: 'POST', body })).status).toBe(
      200,
    );
  }
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page
    .getByRole('row', { name: /Credential decrypted/ })
    .nth(1)
    .waitFor();
  await expectAccessible(page, 'Audit');
  await page.getByLabel('Credential').fill(id);
  await press(page, 'Apply');
  await page.waitForURL(`/vault/audit?credential=${id}`);
  await page.getByLabel('Credential').fill('another');
  await press(page, 'Apply');
  await page.getByText('No matching records').waitFor();
  await press(page, 'Clear filters');

  await page.getByRole('button', { name: 'Credential decrypted' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Credential decrypted' });
  await sheet.getByText('second look').waitFor();
  // The root of it is on chain within a second or two.
  await expect.poll(() => anchored(sheet.getByText('On chain since'), page)).toBe(true);
  expect(await sheet.getByRole('listitem').allTextContents()).toEqual([
    'Signed by the audit log’s pinned key',
    'Belongs to account default',
    expect.stringMatching(/^The chain is unbroken from your first record to number \d+$/),
    'Included in the tree of a checkpoint',
  ]);
  await expectAccessible(page, 'Audit record');

  const saved = async (button: string) => {
    const file = page.waitForEvent('download');
    await press(page, button);
    return (await file).path();
  };
  const proof = await saved('Download proof');
  const command = (await sheet.getByRole('code').last().textContent()) ?? '';
  const key = /--key (\S+)/.exec(command)?.[1] ?? '';
  expect(await verdictOf('audit', 'verify', proof, '--key', key)).toBe(3);
  await page.keyboard.press('Escape');
  const exported = await saved('Download export');
  expect(await verdictOf('audit', 'verify', exported)).toBe(3);
  const text = await readFile(exported, 'utf8');
  await writeFile(exported, text.replace('first look', 'other look'));
  expect(await verdictOf('audit', 'verify', exported)).toBe(1);
});

/** Verifies anew until the publisher was there. */
async function anchored(line: ReturnType<Page['getByText']>, page: Page): Promise<boolean> {
  const again = page.getByRole('button', { name: 'Verify', exact: true });
  if ((await again.count()) > 0) await again.click();
  await page.getByText('Signed by the audit log’s pinned key').waitFor();
  if ((await line.count()) > 0) return true;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Credential decrypted' }).first().click();
  return false;
}

test('the attestation page checks what a browser can, says what nobody has shown, and asks anew with another nonce [vault.console.attestation] [vault.tee.simulated-told]', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'Attestation' }).click();
  await page.getByText('SIMULATED: no hardware protects this vault.').waitFor();
  const checked = page.getByRole('region', { name: 'Checked in this browser' });
  await checked.getByRole('listitem').first().waitFor();
  expect((await checked.getByRole('listitem').allTextContents()).some((text) => text.endsWith(': no'))).toBe(
    false,
  );
  expect(await checked.getByRole('listitem').count()).toBe(3);
  await page.getByRole('region', { name: 'Isolation' }).waitFor();
  await expectAccessible(page, 'Attestation');
  const asked = page.waitForRequest((request) => request.url().includes('/attestation/report'));
  await press(page, 'Refresh report');
  expect(new URL((await asked).url()).searchParams.get('nonce')).toMatch(/^[0-9a-f]{64}$/);
  const file = page.waitForEvent('download');
  await press(page, 'Download report');
  expect(JSON.parse(await readFile(await (await file).path(), 'utf8'))).toMatchObject({
    provider: 'simulated',
  });
});

test.each(['Credentials', 'Tokens', 'Sessions', 'Audit log', 'Attestation'])(
  'a keyboard reaches everything on %s [dashboard.console.keyboard]',
  async (name) => {
    const { page } = visit;
    await page.getByRole('link', { name, exact: true }).click();
    // Before its heading is there, nothing on the page is busy either.
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'hidden' });
    // As if the page had just been opened: a reload would sign out.
    await page.evaluate('document.body.tabIndex = -1, document.body.focus()');
    await expectKeyboardReachesAll(page);
  },
);

const vaultPages = [
  ['Credentials', '/api/v1/credentials'],
  ['Tokens', '/api/v1/tokens'],
  ['Audit log', '/api/v1/audit/logs'],
] as const;

describe.each(vaultPages)('%s', (name, reads) => {
  test('says when it waits and when the vault does not answer, and tries again [vault.console.states]', async () => {
    const { page } = visit;
    const wire = world.vaultWire;
    await page.getByRole('link', { name, exact: true }).click();
    await press(page, 'Sign out of the vault');
    wire.hold((path) => path === reads);
    await signInToVault(visit, user);
    await page.locator('main [aria-busy=true]').first().waitFor();
    expect(await violations(page)).toEqual([]);
    wire.cut((path) => path === reads);
    await page.getByRole('alert').getByText('The vault did not respond.').waitFor();
    expect(await violations(page)).toEqual([]);
    wire.mend();
    await press(page, 'Try again');
    await page.getByRole('table').waitFor();
  });
});

test('a session that was ended elsewhere leads to the form, and back to the page [vault.console.sign-in]', async () => {
  const { page } = visit;
  expect((await ask('/api/v1/auth/logout', shown, { method: 'POST', body: '{}' })).status).toBe(200);
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByText('Your vault session has ended. Sign in again.').waitFor();
  await signInToVault(visit, user);
  await page.getByRole('button', { name: 'research agent' }).waitFor();
});

test('the session goes on beyond the access token, by refreshing it before it ends [vault.console.sign-in]', async () => {
  const { page } = visit;
  const first = shown;
  await page.clock.install();
  await page.clock.fastForward('14:30');
  const refreshed = page.waitForResponse(
    (response) => response.url().endsWith('/auth/refresh') && response.ok(),
  );
  await page.getByRole('link', { name: 'Audit log' }).click();
  await refreshed;
  await page.getByRole('table').waitFor();
  expect(shown).not.toBe(first);
});
