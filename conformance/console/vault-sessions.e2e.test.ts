import { createHash } from 'node:crypto';
import { startShop } from '@countersign/local/demo-shop/shop';
import type { HttpServer } from '@countersign/local/http-server';
import { createLogger } from '@countersign/service/logger';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './fixtures/accessible.ts';
import { signIn, type Visit } from './fixtures/console.ts';
import { expectKeyboardReachesAll } from './fixtures/keyboard.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { signInToVault, startVaultConsole } from './fixtures/vault.ts';

let world: Awaited<ReturnType<typeof startVaultConsole>>;
let shop: HttpServer;
let visit: Visit;
let user: { username: string; password: string };
/** The token with which the page asked last. */
let shown = '';
let sessionId = '';
const customer = { username: 'ada.morris', password: 'correct horse battery staple' };
beforeAll(async () => {
  const log = createLogger('shop', 'silent');
  [world, shop] = await Promise.all([
    startVaultConsole(),
    startShop({ host: '127.0.0.1', port: 0, customer, log }),
  ]);
  user = await world.newUser('ada');
  visit = await world.visit({ wallet: (await world.newOwner()).testWallet });
  visit.page.on('request', (request) => {
    shown = request.headers()['authorization']?.replace('Bearer ', '') ?? shown;
  });
  await signIn(visit);
  await visit.page.goto('/vault/sessions');
});
afterAll(async () => {
  await world.stop();
  await shop.stop();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function post(path: string, body: object, token = shown): Promise<Record<string, string>> {
  const response = await fetch(new URL(`/api/v1/${path}`, world.vaultWire.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, string>;
  expect([response.status, answer]).toEqual([response.status < 300 ? response.status : 200, answer]);
  return answer;
}

const operate = (operation: object) => post(`sandbox/sessions/${sessionId}/execute`, operation);

test('the list says when it waits, when the vault does not answer, and that no session was opened yet [vault.console.states] [vault.console.sessions]', async () => {
  const { page } = visit;
  const wire = world.vaultWire;
  const isList = (path: string) => path === '/api/v1/sandbox/sessions';
  wire.hold(isList);
  await signInToVault(visit, user);
  await page.locator('main [aria-busy=true]').first().waitFor();
  expect(await violations(page)).toEqual([]);
  wire.cut(isList);
  await page.getByRole('alert').getByText('The vault did not respond.').waitFor();
  wire.mend();
  await press(page, 'Try again');
  await page.getByText('No sessions yet').waitFor();
  await expectAccessible(page, 'Sessions-empty');
  await page.goto('/vault/sessions/00000000-0000-4000-8000-000000000000');
  await signInToVault(visit, user);
  await page.getByText('Session not found').waitFor();
  visit.faults.length = 0;
});

test('a session is listed with its task, agent, state and time left, and its page shows what the agent sees, as it is now [vault.console.sessions] [vault.console.session-live]', async () => {
  const { page } = visit;
  const { id } = await post('credentials', {
    service_id: 'Larkfield Roasters',
    credential_type: 'username_password',
    plaintext_data: customer,
    allowed_urls: [shop.url],
  });
  const session = await post('sandbox/sessions', {
    credential_ids: [id],
    task: 'Log in and export the list of orders',
    allowed_urls: [shop.url],
    start_url: `${shop.url}/login`,
    agent_did: 'did:web:bookkeeper.example',
    approval: 'human',
  });
  sessionId = session['id'] ?? '';
  await page.getByRole('link', { name: 'Sessions', exact: true }).first().click();
  const row = page.getByRole('row', { name: /Log in and export.*did:web:bookkeeper\.example Active/ });
  await row.getByText(/\d+:\d\d left/).waitFor();
  await expectAccessible(page, 'Sessions');
  await row.getByRole('link').click();
  await page.getByRole('img', { name: /session’s current page/ }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(`${shop.url}/login`).first().waitFor();
  await page.getByRole('region', { name: 'Browser isolation' }).waitFor();
});

test('what waits for a person is shown with why; approved it runs, rejected it does not, and the log has both [vault.console.session-approvals] [vault.console.session-log] [vault.console.approval-picture]', async () => {
  const { page } = visit;
  const fill = { operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' };
  expect(await operate(fill)).toMatchObject({ status: 'pending_approval' });
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await page.getByRole('link', { name: 'Sessions 1 waiting for you' }).waitFor();
  await waiting.getByText('{{CREDENTIAL.password}}').waitFor();
  await waiting.getByRole('img', { name: /The page when your agent asked/ }).waitFor();
  await waiting.getByText('The secret would go to: field').waitFor();
  await expectAccessible(page, 'Session-waiting');
  await press(page, 'Approve');
  const log = page.getByRole('region', { name: 'Operation log' });
  await log.getByRole('row', { name: /Fill #password .* Done/ }).waitFor();
  const script = "return document.querySelector('h1').textContent";
  expect(await operate({ operation_type: 'execute_script', value: script })).toMatchObject({
    status: 'pending_approval',
  });
  await waiting.getByText(script).waitFor();
  await press(page, 'Reject');
  await log.getByRole('row', { name: /Run script .* Rejected/ }).waitFor();
  await waiting.waitFor({ state: 'hidden' });
  await expectAccessible(page, 'Session');

  await log.getByRole('button', { name: /Fill/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Fill' });
  await sheet.getByText('{{CREDENTIAL.password}}').waitFor();
  await expectAccessible(page, 'Operation');
  await sheet.getByRole('link', { name: /^aud_/ }).click();
  await page.getByRole('dialog').getByText('Signed in').waitFor();
  expect(new URL(page.url()).searchParams.get('session')).toBe(sessionId);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await page.content()).not.toContain('horse');
  await page.goBack();
});

test('what left a session is listed with who took it, and shown with page, size and digest; its audit record says so in words [vault.console.left] [vault.console.who]', async () => {
  const { page } = visit;
  const csv = await post(`sandbox/sessions/${sessionId}/export`, { format: 'csv', selector: 'body' });
  await post(`sandbox/sessions/${sessionId}/screenshot`, {});
  const log = page.getByRole('region', { name: 'Operation log' });
  await log.getByRole('row', { name: /Take screenshot .* bytes of PNG left ada \(person\)/ }).waitFor();
  const row = log.getByRole('row', { name: /Export body .* bytes of CSV left csv ada \(person\)/ });
  await expectAccessible(page, 'Session-left');
  await row.getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Export' });
  const left = sheet.getByRole('region', { name: 'Content that left the session' });
  const digest = createHash('sha256').update(String(csv['data'])).digest('hex');
  await left.getByText(digest).waitFor();
  await left.getByText(`${shop.url}/login`).waitFor();
  await left.getByText(`${Buffer.byteLength(String(csv['data']))} bytes of CSV`).waitFor();
  await expectAccessible(page, 'Operation-left');
  await sheet.getByRole('link', { name: 'Filter by this actor' }).click();
  await log.getByText('Only operations by user:ada').waitFor();
  expect(new URL(page.url()).searchParams.get('actor')).toBe('user:ada');
  await log.getByRole('link', { name: 'Show all' }).click();
  await row.getByRole('button').click();
  await left.getByRole('link', { name: /^aud_/ }).click();
  const record = page.getByRole('dialog', { name: 'Content left a session' });
  await record.getByText('SHA-256 of salt and content').waitFor();
  await expectAccessible(page, 'Audit-record-left');
  await record.getByRole('link', { name: 'View all activity' }).click();
  await record.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).searchParams.get('agent')).toBe('did:web:bookkeeper.example');
  await page.getByRole('row', { name: /Export: \d+ bytes of CSV, .*\/login ada \(person\)/ }).waitFor();
  await expectAccessible(page, 'Audit-left');
  await page.getByLabel('Agent').fill('');
  await page.getByLabel('Person or token').fill('token:nobody');
  await press(page, 'Apply');
  await page.getByText('No matching records').waitFor();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await log.waitFor();
});

test('a place that was agreed to stands with the credential, and is revoked there [vault.console.uses]', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'Credentials', exact: true }).first().click();
  await press(page, 'Larkfield Roasters');
  const places = page.getByRole('dialog').getByRole('region', { name: 'Where it may be used' });
  await places.getByText(/Allowed by user:ada/).waitFor();
  await expectAccessible(page, 'Credential-uses');
  await places.getByRole('button', { name: /^Revoke field/ }).click();
  await places.getByText(/Allowed by/).waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
});

test('a session that its agent paused says so, and a person can make that pause hold [vault.console.session-control] [vault.sandbox.pause.person]', async () => {
  const { page } = visit;
  const about = { name: 'bookkeeper', scopes: ['credential:use'], expires_in: 3600 };
  const { token } = await post('tokens', about);
  const wanted = { credential_ids: [], task: 'Wait for the shop to open', allowed_urls: [shop.url] };
  const { id } = await post('sandbox/sessions', wanted, token);
  await post(`sandbox/sessions/${id}/pause`, {}, token);
  await page.getByRole('link', { name: 'Sessions', exact: true }).first().click();
  await page
    .getByRole('row', { name: /Wait for the shop to open/ })
    .getByRole('link')
    .click();
  await page.getByText('Your agent paused the session and may resume it.').waitFor();
  await expectAccessible(page, 'Session-paused-by-agent');
  await press(page, 'Pause');
  await page.getByText('Your agent can do nothing until you resume the session.').waitFor();
  await press(page, 'Close');
  await press(page, 'Close session');
  await page.getByText('This browser no longer exists').waitFor();
});

test('a log that cannot be asked for anew says why, keeps what it has, and tries again when it is told to [vault.console.session-log-fresh]', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'Sessions', exact: true }).first().click();
  await page
    .getByRole('row', { name: /Log in and export/ })
    .getByRole('link')
    .click();
  const log = page.getByRole('region', { name: 'Operation log' });
  await log.getByRole('row').nth(1).waitFor();
  world.vaultWire.cut((path) => path.endsWith('/operations'));
  await log.getByText('This may be out of date. The vault did not respond.').waitFor();
  await log.getByRole('row').nth(1).waitFor();
  await expectAccessible(page, 'Session-log-out-of-date');
  world.vaultWire.mend();
  await log.getByRole('button', { name: 'Try again' }).click();
  await log.getByText('This may be out of date.').waitFor({ state: 'hidden' });
  visit.faults.length = 0;
});

test('a person pauses, resumes and closes a session; a keyboard reaches everything on its page [vault.console.session-control] [dashboard.console.keyboard]', async () => {
  const { page, faults } = visit;
  await page.getByRole('link', { name: 'Sessions', exact: true }).first().click();
  await page
    .getByRole('row', { name: /Log in and export/ })
    .getByRole('link')
    .click();
  await page.getByRole('img', { name: /session’s current page/ }).waitFor();
  await page.evaluate('document.body.tabIndex = -1, document.body.focus()');
  await expectKeyboardReachesAll(page);
  await press(page, 'Pause');
  await page.getByText('Your agent can do nothing until you resume the session.').waitFor();
  await press(page, 'Resume');
  await page.getByText('Live', { exact: true }).waitFor();
  await press(page, 'Close');
  await expectAccessible(page, 'Close session');
  await press(page, 'Close session');
  await page.getByText('This browser no longer exists').waitFor();
  await page.getByText('It was closed by you or by whoever opened it.').waitFor();
  const watched = page.getByRole('row', { name: /Watch live \d+ pictures?, .* left ada \(person\)/ });
  await watched.waitFor();
  await expectAccessible(page, 'Session-closed');
  await watched.getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Watch live' });
  await sheet.getByText('The audit log lists each picture').waitFor();
  await expectAccessible(page, 'Operation-watched');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Sessions', exact: true }).first().click();
  await page.getByRole('link', { name: 'Paused' }).click();
  await page.getByText('No paused sessions').waitFor();
  expect(faults).toEqual([]);
});
