import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from './fixtures/sandbox.ts';
import { openPlainBrowser } from './fixtures/sites/plain-browser.ts';
import { json, type Site, startSite } from './fixtures/sites/site.ts';

let sandbox: Sandbox;
let site: Site;
beforeAll(async () => {
  site = await startSite({
    '/fed': `<h1>Home</h1><button onclick="navigator.credentials.get({ identity: { providers: [
      { configURL: location.origin + '/orders/7/cancel', clientId: '1' }] } }).catch(() => {})">Continue</button><p id="has"></p>
      <script>has.textContent = 'has: ' + ['IdentityCredential', 'DigitalCredential'].map((name) => name in window).join(' ')</script>`,
    '/.well-known/web-identity': () => json({ provider_urls: [`${site.origin}/orders/7/cancel`] }),
    '/orders/7/cancel': () =>
      json({
        accounts_endpoint: '/users/7/delete',
        client_metadata_endpoint: '/c',
        id_assertion_endpoint: '/a',
        login_url: '/fed',
      }),
  });
  sandbox = await Sandbox.start();
});
afterAll(async () => {
  await sandbox?.stop();
  await site?.stop();
});
const heard = () => site.received.map(({ method, path }) => `${method} ${path}`);
const acts = ['GET /orders/7/cancel', 'GET /users/7/delete'];

test('control: a plain browser asks the accounts of FedCM', async () => {
  const { context, close } = await openPlainBrowser(null);
  const page = await context.newPage();
  await page.goto(`${site.origin}/fed`);
  await page.click('button');
  await expect.poll(heard).toEqual(expect.arrayContaining(acts));
  await close();
});

test('Chromium itself asks nobody for FedCM: no page has it [vault.review.act.held]', async () => {
  const session = await sandbox.open({ allowedUrls: [site.origin], startUrl: `${site.origin}/fed` });
  site.received.length = 0;
  const answer = await session.operate({ operation_type: 'click', selector: 'button' });
  const has = await session.operate({ operation_type: 'extract', selector: '#has' });
  await session.close();
  expect(answer).toMatchObject({ status: 'executed' });
  expect(JSON.stringify(has)).toContain('has: false false');
  expect(heard()).toEqual([]);
});
