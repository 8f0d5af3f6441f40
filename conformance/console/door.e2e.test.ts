import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePortBase } from '@countersign/local/started-command';
import { startSystem } from '@countersign/local/system';
import { connectGateway } from '@countersign/sdk/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '@countersign/service/free-port';
import { newDatabase } from '../fixtures/new-database.ts';
import { type Demo, startDemo } from './fixtures/demo.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { photograph } from './fixtures/photograph.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.stop());

test('the owner’s link signs in, the demo’s wallet shows what it signs, and the agent’s payment appears [system.door.link] [system.door.wallet] [system.door.reload]', async () => {
  const visit = await demo.visit();
  const { page } = visit;
  await page.goto(demo.printed.Owner);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(page.url()).toBe(`${demo.origin}/`);
  const { address } = demo.card.owner;
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`;
  await page.getByRole('button', { name: `Account ${short}` }).waitFor();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Mandates' }).click();
  await page.getByRole('button', { name: 'New mandate' }).click();
  await page.getByLabel('Name').fill('First minutes');
  await page.getByLabel('Limit per payment').fill('0.5');
  await page.getByLabel('Total budget').fill('7');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  const wallet = page.getByRole('dialog', { name: 'Sign this mandate?' });
  await wallet.getByText('Demo wallet · Owner').waitFor();
  expect(await wallet.getByRole('definition').allTextContents()).toEqual(
    expect.arrayContaining([address, '0.5', '7', 'Platform Intent Mandate', '84532']),
  );
  await photograph(page, 'door-wallet');
  await expectAccessible(page, 'The demo’s wallet');
  await wallet.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('alert').getByText('You declined in your wallet. Nothing was signed.').waitFor();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  await wallet.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('Signed. Your agent can pay').waitFor();

  const gateway = await connectGateway({ url: demo.card.gatewayUrl, token: demo.card.gatewayToken });
  const quote = await gateway.call({
    serviceId: 'quotes',
    toolName: 'get_quote',
    arguments: { symbol: 'ACME' },
  });
  await gateway.close();
  expect(quote.kind).toBe('ok');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
  await page
    .getByRole('region', { name: 'Latest transactions' })
    .getByRole('link', { name: 'quotes' })
    .first()
    .waitFor();

  await page.reload();
  await page.getByRole('button', { name: `Account ${short}` }).waitFor();
  expect(visit.faults).toEqual([]);
  await visit.close();
});

const heading = (name: string) => ({ level: 1, name }) as const;

test('a used link lets nobody in and says how to get new ones; the command prints them [system.door.used] [system.door.link]', async () => {
  const { Merchant: link } = await demo.newLinks();
  const first = await demo.visit();
  await first.page.goto(link);
  await first.page.getByRole('heading', heading('Transactions')).waitFor();

  // In the browser that used it, it does no harm: one chooses whom to be.
  await first.page.goto(link);
  await first.page.getByText('That link was used, or its hour is over.').first().waitFor();
  await first.page.getByRole('button', { name: 'Enter as Merchant' }).waitFor();
  await expectAccessible(first.page, 'door-choice');
  expect(first.page.url()).toBe(`${demo.origin}/door/merchant`);

  const other = await demo.visit();
  const { page } = other;
  await page.goto(link);
  await page.getByRole('heading', heading('You need a link to come in')).waitFor();
  await page.getByText('That link was used, or its hour is over.').last().waitFor();
  await expectAccessible(page, 'door-closed');
  await page.getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('npm start -- --links');
  await page.goto(`${demo.origin}/mandates`);
  await page.getByRole('heading', heading('You need a link to come in')).waitFor();

  const again = await demo.newLinks();
  expect(again.Merchant).not.toBe(link);
  await page.goto(again.Operator);
  await page.getByRole('heading', heading('Compliance')).waitFor();
  await other.close();
  await first.close();
});

test('whoever signs out is asked whom they want to be; the owner is in the vault at once, the approver in the control plane [system.door.roles] [system.door.reload]', async () => {
  const visit = await demo.visit();
  const { page } = visit;
  await page.goto((await demo.newLinks()).Approver);
  const signedIn = page.getByText(/^Signed in as Wallet’s holder \(0x/);
  await signedIn.waitFor();
  await page.reload();
  await signedIn.waitFor();

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', heading('Who do you want to be?')).waitFor();
  expect(await page.getByRole('button').allTextContents()).toEqual([
    expect.stringMatching(/^Enter as Owner/),
    expect.stringMatching(/^Enter as Merchant/),
    expect.stringMatching(/^Enter as Operator/),
    expect.stringMatching(/^Enter as Approver/),
    expect.stringMatching(/^Enter as Auditor/),
  ]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', heading('Overview')).waitFor();
  const { address } = demo.card.owner;
  await page.getByRole('button', { name: `Account ${address.slice(0, 6)}…${address.slice(-4)}` }).waitFor();

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Credentials', exact: true })
    .click();
  await page.getByText(`Signed in to the vault as Wallet’s holder (${address})`).waitFor();
  await page.reload();
  await page.getByText(`Signed in to the vault as Wallet’s holder (${address})`).waitFor();
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Actions', exact: true })
    .click();
  await page.getByText(`Signed in as Wallet’s holder (${address})`).waitFor();
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('the auditor’s link signs in without a wallet, reads the owner’s account and offers no change [system.door.auditor]', async () => {
  const visit = await demo.visit();
  const { page } = visit;
  await page.goto((await demo.newLinks()).Auditor);
  await page.getByRole('heading', heading('Overview')).waitFor();
  const { address } = demo.card.owner;
  await page.getByRole('button', { name: `Account ${address.slice(0, 6)}…${address.slice(-4)}` }).waitFor();
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Mandates', exact: true })
    .click();
  await page.getByText('You can view everything here but change nothing.').waitFor();
  expect(await page.getByRole('button', { name: 'New mandate' }).count()).toBe(0);
  await page.reload();
  await page.getByText('You can view everything here but change nothing.').waitFor();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Enter as Auditor' }).click();
  await page.getByRole('heading', heading('Overview')).waitFor();
  await page.getByText('You can view everything here but change nothing.').waitFor();
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('a payment above the limit leads the owner to the demo’s console, where it is approved with the demo’s wallet [system.door.wallet]', async () => {
  const visit = await demo.visit();
  const { page } = visit;
  await page.goto((await demo.newLinks()).Owner);
  await page.getByRole('heading', heading('Overview')).waitFor();
  const gateway = await connectGateway({ url: demo.card.gatewayUrl, token: demo.card.gatewayToken });
  const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };
  const asked = await gateway.call(report);
  const approval = asked.kind === 'refused' ? asked.data.detail.paymentContext?.['approval'] : null;
  const { approvalUrl, approvalId } = approval as { approvalUrl: string; approvalId: string };
  expect(new URL(approvalUrl).origin).toBe(demo.porch);
  await page.goto(approvalUrl);
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  const wallet = page.getByRole('dialog', { name: 'Approve this payment?' });
  await wallet.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('Payment approved. Your agent can make it.').waitFor();
  const paid = await gateway.call({ ...report, paymentPayload: { approvalId } });
  await gateway.close();
  expect(paid.kind).toBe('ok');
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('the demo’s owner reads what is left to do, and copies a snippet with the demo’s own address and token [system.door.snippet] [dashboard.console.connect]', async () => {
  const visit = await demo.visit();
  const { page } = visit;
  await page.goto((await demo.newLinks()).Owner);
  await page.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'Show how' }).click();
  const { gatewayUrl, gatewayToken } = demo.card;
  const snippet = page.getByRole('region', { name: 'Claude Code' });
  await snippet.getByText(gatewayToken).waitFor();
  expect(await snippet.textContent()).toBe(
    `claude mcp add --transport http countersign ${gatewayUrl} --header "Authorization: Bearer ${gatewayToken}"`,
  );
  await photograph(page, 'door-connect');
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('whoever follows a link of another site to a page of the console is there, not at the door [system.door.roles]', async () => {
  const visit = await demo.visit();
  const { page, context } = visit;
  await page.goto((await demo.newLinks()).Owner);
  await page.getByRole('heading', heading('Overview')).waitFor();
  await context.route('http://chat.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${demo.origin}/mandates?status=active">Mandates</a>`,
    }),
  );
  await page.goto('http://chat.example/');
  await page.getByRole('link', { name: 'Mandates' }).click();
  await page.getByRole('heading', heading('Mandates')).waitFor();
  expect(page.url()).toBe(`${demo.origin}/mandates?status=active`);
  await visit.close();
});

/** What programs send that are no browser: any Host, any Origin. */
function send(path: string, headers: Record<string, string>, method = 'POST', body = '{}') {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const { port, host } = new URL(demo.origin);
    const own = { host, origin: demo.origin, 'content-type': 'application/json', ...headers };
    const sent = request({ hostname: '127.0.0.1', port, path, method, headers: own }, (answer) => {
      void text(answer).then((read) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: read }),
      );
    });
    sent.once('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

test('another Host, another origin or port, another method and a form are refused, and no answer may be framed [system.door.loopback]', async () => {
  const token = new URL((await demo.newLinks()).Owner).hash.slice(1);
  const enter = JSON.stringify({ token });
  const dashboard = demo.card.dashboardUrl;
  const port = new URL(demo.origin).port;
  const attempts: readonly (readonly [Record<string, string>, number, string?])[] = [
    [{ host: `countersign.evil.example:${port}` }, 421],
    [{ host: `localhost:${port}` }, 421],
    [{ host: '127.0.0.1' }, 421],
    [{ host: `${'a'.repeat(22)}.localhost:${port}` }, 421],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    // The dashboard's own origin, and the shop's: same site, other ports.
    [{ origin: dashboard }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
    [{}, 405, 'PUT'],
    [{}, 405, 'GET'],
    [{}, 405, 'OPTIONS'],
  ];
  for (const [headers, status, method] of attempts) {
    const answer = await send('/door/enter', headers, method, enter);
    expect([headers, method, answer.status]).toEqual([headers, method, status]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  }
  for (const path of ['/', '/api/auth/nonce', '/door/wallet.js', '/mandates'])
    expect((await send(path, { host: `evil.example:${port}` }, 'GET')).status).toBe(421);
  for (const path of ['/door', '/door/owner', '/mandates']) {
    const page = await send(path, { accept: 'text/html' }, 'GET');
    expect(page.headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  }
  for (const headers of [{}, { authorization: 'Bearer guess', origin: '' }])
    expect((await send('/door/links', { host: new URL(demo.porch).host, ...headers })).status).toBe(403);
  expect((await send('/door/links', {})).status).toBe(404);
  expect((await send('/door/none', {})).status).toBe(404);
  // None of these used the link up.
  expect((await send('/door/enter', {}, 'POST', enter)).status).toBe(200);
  expect((await send('/door/enter', {}, 'POST', enter)).status).toBe(410);
  expect((await fetch(`http://[::1]:${port}/door`)).status).toBe(421);
  for (const path of ['//', 'http://[', '//evil.example/door', '*'])
    expect([path, (await send(path, {}, 'GET')).status]).toEqual([path, 400]);
});

test('the cookie alone and the key alone have nothing signed and no credential handed out [system.door.two-halves] [system.door.signs-only]', async () => {
  const token = new URL((await demo.newLinks()).Merchant).hash.slice(1);
  const entered = await send('/door/enter', {}, 'POST', JSON.stringify({ token }));
  const cookie = String(entered.headers['set-cookie']?.[0]).split(';')[0] ?? '';
  const { key } = JSON.parse(entered.text) as { key: string };
  const iou = JSON.stringify({ role: 'owner', wish: { text: 'I owe you 5 USDC' } });
  for (const half of [{}, { cookie }, { 'x-door-key': key }, { cookie, 'x-door-key': 'guess' }]) {
    expect((await send('/door/sign', half, 'POST', iou)).status).toBe(401);
    expect((await send('/door/credentials', half, 'POST', '{"role":"owner"}')).status).toBe(401);
  }
  const whole = { cookie, 'x-door-key': key };
  expect((await send('/door/sign', whole, 'POST', iou)).status).toBe(403);
  expect((await send('/door/sign', whole, 'POST', '{"role":"facilitator","wish":{"text":""}}')).status).toBe(
    400,
  );
  const given = await send('/door/credentials', whole, 'POST', '{"role":"merchant"}');
  expect(given.text).toBe('{}');
});

test('another port that the browser is sent to sees no cookie of the console and plants none [system.door.own-name]', async () => {
  const seen: (string | undefined)[] = [];
  const neighbour = createServer({ maxHeaderSize: 1024 * 1024 }, ({ headers }, response) => {
    seen.push(headers.cookie);
    const planted = ['platform_session', 'countersign_door'].map((name) => `${name}=planted; Path=/`);
    const bomb = Array.from({ length: 40 }, (_, at) => `b${at}=${'x'.repeat(3500)}; Path=/`);
    response.setHeader('set-cookie', [...planted, ...bomb]);
    response.setHeader('content-type', 'text/html');
    response.end('<title>another program of this machine</title>');
  });
  const at = `http://127.0.0.1:${await freePort()}/`;
  neighbour.listen(Number(new URL(at).port), '127.0.0.1');
  const visit = await demo.visit();
  const { page, context } = visit;
  await page.goto((await demo.newLinks()).Owner);
  await page.getByRole('heading', heading('Overview')).waitFor();
  const named = (cookies: readonly { name: string }[]) => cookies.map(({ name }) => name).sort();
  expect(named(await context.cookies(demo.origin))).toEqual(['countersign_door', 'platform_session']);
  expect(await context.cookies(demo.porch)).toEqual([]);
  await context.route('http://evil.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${at}">Go on</a>` }),
  );
  const lured = await context.newPage();
  await lured.goto('http://evil.example/');
  await lured.getByRole('link', { name: 'Go on' }).click();
  await lured.waitForURL(at);
  expect(seen[0]).toBeUndefined();
  // What it set is there, and comes to every port of that name: the door and its page are not among them.
  await lured.goto(`${demo.porch}/transactions`);
  await lured.getByRole('heading', heading('Transactions')).waitFor();
  expect(new URL(lured.url()).origin).toBe(demo.origin);
  expect(named(await context.cookies(demo.origin))).toEqual(['countersign_door', 'platform_session']);
  // The control: a cookie of 127.0.0.1, as the dashboard's own address has it, does go to that port.
  await context.addCookies([
    { name: 'platform_session', value: 'of-the-dashboard', url: demo.card.dashboardUrl },
  ]);
  await lured.goto(at);
  expect(seen.at(-1)).toContain('platform_session=of-the-dashboard');
  neighbour.closeAllConnections();
  neighbour.close();
  await visit.close();
});

test('nobody is told the door’s name but a browser with a link: no agent, page or program [system.door.own-name]', async () => {
  const name = new URL(demo.origin).hostname;
  const { port, host } = new URL(demo.porch);
  const porch = { host, origin: demo.porch };
  for (const body of [{ token: 'guess' }, { known: `http://guess.localhost:${port}` }, {}])
    expect((await send('/door/name', porch, 'POST', JSON.stringify(body))).status).toBe(410);
  const token = JSON.stringify({ token: new URL((await demo.newLinks()).Owner).hash.slice(1) });
  for (const other of [demo.origin, demo.card.dashboardUrl, 'https://evil.example', 'null'])
    expect((await send('/door/name', { host, origin: other }, 'POST', token)).status).toBe(403);
  const told = await send('/door/name', porch, 'POST', token);
  expect(told.text).toBe(JSON.stringify({ origin: demo.origin }));
  for (const path of [
    '/',
    '/door',
    '/door/owner',
    '/door/porch.js',
    '/approvals/apr_1',
    '/api/site',
    '/api/auth/me',
  ]) {
    const answer = await send(path, { ...porch, accept: 'text/html' }, 'GET');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.text).not.toContain(name);
  }
  expect((await send('/', { host: `evil.example:${port}` }, 'GET')).text).not.toContain(name);
  const site = await (await fetch(`${demo.card.dashboardUrl}/api/site`)).text();
  expect(site).toContain(demo.porch);
  expect(site).not.toContain(name);
  expect((await send('/', { accept: 'text/html' }, 'GET')).headers['referrer-policy']).toBe('no-referrer');
});

test('a mandate right after an interrupted sign-in is asked about: a click enters once, and signs no more [system.door.wallet]', async () => {
  const visit = await demo.visit();
  const { page } = visit;
  await page.goto((await demo.newLinks()).Owner);
  await page.getByRole('heading', heading('Overview')).waitFor();
  await page.goto(`${demo.origin}/door`);
  await page.route('**/sign-in*', (route) => route.abort('aborted'));
  const left = page.waitForRequest(/\/sign-in/);
  await page.getByRole('button', { name: 'Enter as Owner' }).click();
  await left;
  await page.unroute('**/sign-in*');
  await page.goto(`${demo.origin}/mandates`);
  await page.getByRole('button', { name: 'New mandate' }).click();
  await page.getByLabel('Name').fill('Unasked');
  await page.getByLabel('Limit per payment').fill('900');
  await page.getByLabel('Total budget').fill('900');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  const wallet = page.getByRole('dialog', { name: 'Sign this mandate?' });
  await wallet.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('alert').getByText('You declined in your wallet. Nothing was signed.').waitFor();
  await visit.close();
});

test('another role entered in one tab is the role of each, and an approval’s address leads the owner there [system.door.roles]', async () => {
  const visit = await demo.visit();
  const { page, context } = visit;
  const links = await demo.newLinks();
  await page.goto(links.Owner);
  await page.getByText('Demo · Owner', { exact: true }).waitFor();
  const other = await context.newPage();
  await other.goto(links.Operator);
  await other.getByText('Demo · Operator', { exact: true }).waitFor();
  await other.getByRole('link', { name: 'Review queue' }).and(other.locator('[aria-current]')).waitFor();
  await page.getByText('Demo · Operator', { exact: true }).waitFor();
  await expectAccessible(page, 'door-badge');
  await other.close();

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', heading('Who do you want to be?')).waitFor();
  await page.goto(`${demo.porch}/approvals/apr_none`);
  await page.getByRole('button', { name: 'Enter as Owner' }).click();
  await page.getByText('Demo · Owner', { exact: true }).waitFor();
  expect(page.url()).toBe(`${demo.origin}/approvals/apr_none`);
  await visit.close();
});

test.each([
  '//evil.example/',
  '/%09/evil.example/',
  '/.//evil.example/',
  '/%5cevil.example/',
  'javascript:alert(1)',
])('the door leads nobody to another site: %s [system.door.roles]', async (place) => {
  const visit = await demo.visit();
  const { page } = visit;
  await page.goto((await demo.newLinks()).Owner);
  await page.getByRole('heading', heading('Overview')).waitFor();
  await page.goto(`${demo.origin}/door?to=${place}`);
  await page.getByRole('heading', heading('Who do you want to be?')).waitFor();
  expect(new URL(page.url()).origin).toBe(demo.origin);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('the dashboard itself and the built console know nothing of a door [system.door.demo-only]', async () => {
  const page = await (await fetch(demo.card.dashboardUrl)).text();
  expect(page).not.toContain('/door');
  for (const path of ['/door', '/door/owner', '/door/wallet.js'])
    expect((await fetch(new URL(path, demo.card.dashboardUrl))).status).toBe(404);
  const built = join(import.meta.dirname, '../../dist/console');
  const scripts = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.js'),
  );
  expect(scripts.length).toBeGreaterThan(20);
  for (const path of scripts)
    expect(readFileSync(join(built, path), 'utf8')).not.toMatch(/countersign\.door|\/door\//);
});

test('beyond loopback npm start says that there is no door, and nothing listens there [system.door.loopback]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-no-door-'));
  const env = { PATH: process.env['PATH'], DATABASE_URL: await newDatabase(), DASHBOARD_HOST: '0.0.0.0' };
  const base = await freePortBase();
  const system = await startSystem({ dir, portBase: base, env, only: ['dashboard'], hasDoor: true });
  expect(system.door).toEqual({ none: 'DASHBOARD_HOST lets others than this machine in' });
  await expect(fetch(`http://127.0.0.1:${base + 10}/door`)).rejects.toThrow('fetch failed');
  expect(existsSync(join(dir, 'door.json'))).toBe(false);
  expect(await (await fetch(`http://127.0.0.1:${base + 1}/api/site`)).text()).not.toContain(
    String(base + 10),
  );
  await system.stop();
  rmSync(dir, { recursive: true });
});

test('Ctrl-C ends the demo while its console is open and hears of events [system.start.ctrl-c]', async () => {
  const { page } = await demo.visit();
  const link = await demo.newLinks();
  const events = page.waitForRequest(/\/api\/events$/);
  await page.goto(link.Owner);
  await events;
  const { code, stderr } = await demo.interrupt();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(existsSync(join(demo.dir, 'door.json'))).toBe(false);
});
