import { expectOk } from '@countersign/local/dashboard-account';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForApproval } from './fixtures/approvals.ts';
import { narrow, signIn, startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

async function signedIn() {
  const owner = await world.newOwner();
  const { token } = owner;
  const { apiKey } = expectOk('key', await world.dashboard.createKey({ token, body: { name: 'gateway' } }));
  const visit = await world.visit({ wallet: owner.testWallet });
  return { ...visit, owner, apiKey };
}

const streamOf = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/api/events'));

test('an approval that a gateway asks for appears without reload, and so does a payment [dashboard.console.live]', async () => {
  const visit = await signedIn();
  const { page, owner, apiKey, faults, close } = visit;
  const stream = streamOf(page);
  await signIn(visit);
  expect((await stream).headers()['content-type']).toBe('text/event-stream');
  await page.getByText('No payments are waiting for you').waitFor();
  const approval = await askForApproval(world, owner, apiKey);
  await page.getByRole('link', { name: approval.toolName }).waitFor();
  const body = {
    apiKey,
    serviceName: 'archive',
    serviceResult: 'pass' as const,
    chain: 'base-sepolia',
    tokenSymbol: 'USDC',
    amount: '0.000012',
    payer: owner.wallet.address,
    payee: world.card.merchant.address,
  };
  expectOk('report', await world.dashboard.reportTransaction({ body }));
  await page.getByRole('row', { name: /archive Paid/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the navigation counts what waits, as it comes and goes, also on a phone [dashboard.console.waiting-count]', async () => {
  const visit = await signedIn();
  const { page, owner, apiKey, faults, close } = visit;
  await signIn(visit);
  await page.goto('/settings');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Approvals', exact: true }).waitFor();
  const { approvalId } = await askForApproval(world, owner, apiKey);
  await navigation.getByRole('link', { name: 'Approvals 1 waiting for you' }).waitFor();
  await askForApproval(world, owner, apiKey, { toolName: 'buy_dataset' });
  await page.setViewportSize(narrow);
  await navigation.getByRole('link', { name: 'Approvals 2 waiting for you' }).waitFor();
  await expectAccessible(page, 'Waiting count');
  const { token } = owner;
  expectOk('reject', await world.dashboard.rejectApproval({ token, params: { approvalId }, body: {} }));
  await navigation.getByRole('link', { name: 'Approvals 1 waiting for you' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

const elsewhere = `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })`;
const recorder = `
  window.told = [];
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static asked = 0;
    static async requestPermission() {
      this.asked += 1;
      return (this.permission = 'granted');
    }
    constructor(title, { body }) {
      super();
      window.told.push(title + ': ' + body);
    }
  };`;

test('a browser tells of an approval once it was asked for on a click, and not before [dashboard.console.notifications]', async () => {
  const visit = await signedIn();
  const { page, owner, apiKey, faults, close } = visit;
  await visit.context.addInitScript(recorder);
  await signIn(visit);
  await page.goto('/settings');
  const section = page.getByRole('region', { name: 'Notifications' });
  await section.getByRole('button', { name: 'Turn on' }).waitFor();
  expect(await page.evaluate('Notification.asked')).toBe(0);
  await section.getByRole('button', { name: 'Turn on' }).click();
  await section.getByRole('button', { name: 'Turn off' }).waitFor();
  expect(await page.evaluate('Notification.asked')).toBe(1);

  await page.evaluate(elsewhere);
  await askForApproval(world, owner, apiKey, { amount: '7.5' });
  await expect.poll(() => page.evaluate('window.told')).toEqual(['A payment is waiting for you: 7.50 USDC']);
  await section.getByRole('button', { name: 'Turn off' }).click();
  await section.getByRole('button', { name: 'Turn on' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('an owner sees where the wallet is signed in and ends another session [dashboard.console.sessions]', async () => {
  const visit = await signedIn();
  const { page, owner, faults, close } = visit;
  await signIn(visit);
  await page.goto('/settings');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('This browser').waitFor();
  expect(await sessions.getByRole('listitem').count()).toBe(2);
  await sessions.getByRole('button', { name: /^End session from/ }).click();
  await page.getByText('Session ended.').waitFor();
  await sessions.getByRole('listitem').nth(1).waitFor({ state: 'hidden' });
  expect((await world.dashboard.me({ token: owner.token })).kind).toBe('refused');
  await sessions.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
