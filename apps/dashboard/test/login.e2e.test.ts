import { publicKeyToAddress } from 'viem/accounts';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  chainId,
  loginMessage,
  newWallet,
  openDashboard,
  openDashboardForTest,
  type TestDashboard,
} from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

const minutes = (count: number) => new Date(dashboard.clock.now.getTime() + count * 60_000);
const refused = { status: 401, code: 80000019, data: null };

test('a wallet logs in with a nonce and a signed message [dashboard.login.nonce] [dashboard.login.success]', async () => {
  expect((await dashboard.post('/api/auth/nonce', {})).data).toEqual({
    nonce: expect.stringMatching(/^\w{16,}$/),
    chainId,
  });
  const wallet = newWallet();
  const { status, data } = await dashboard.loginReply(wallet);
  expect(status).toBe(200);
  expect(Object.keys(data)).toEqual(['token', 'expiresAt', 'account']);
  expect(new Date(data.expiresAt).getTime()).toBeGreaterThan(dashboard.clock.now.getTime());
  expect(data.account.walletAddress).toBe(wallet.address);
});

test('login sets the session cookie, off loopback over TLS only [dashboard.login.cookie]', async () => {
  const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie') ?? '';
  const local = cookieOf(await dashboard.loginReply(newWallet()));
  expect(local).toMatch(
    /^platform_session=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const remote = await openDashboardForTest({ publicUrl: new URL('https://pay.example.com') });
  const there = { domain: 'pay.example.com', uri: 'https://pay.example.com' };
  expect(cookieOf(await remote.loginReply(newWallet(), there))).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
  const both = await openDashboardForTest({ otherOrigins: [new URL(there.uri)] });
  expect(cookieOf(await both.loginReply(newWallet(), there))).toMatch(/; Secure$/);
});

test('people log in at further origins too, which no answer names [dashboard.login.other-origins]', async () => {
  const other = new URL('http://console.localhost:4030');
  const there = { domain: other.host, uri: other.origin };
  expect(await dashboard.loginReply(newWallet(), there)).toMatchObject(refused);
  const wider = await openDashboardForTest({ otherOrigins: [other] });
  const { headers, status } = await wider.loginReply(newWallet(), there);
  expect([status, headers.get('set-cookie')]).toEqual([200, expect.stringMatching(/; SameSite=Lax$/)]);
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const logOut = (origin: string) =>
    fetch(`${wider.url}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await logOut('http://other.localhost:4030')).status).toBe(403);
  expect((await logOut(other.origin)).status).toBe(200);
  const site = await fetch(`${wider.url}/api/site`, { headers: { origin: other.origin } });
  expect(await site.text()).not.toContain(other.hostname);
});

test('a nonce works once [dashboard.login.nonce-single-use]', async () => {
  const wallet = newWallet();
  const { nonce } = (await dashboard.post('/api/auth/nonce', {})).data;
  const message = createSiweMessage(
    loginMessage(dashboard.url, wallet, { nonce, issuedAt: dashboard.clock.now }),
  );
  const body = { message, signature: wallet.signMessage(message) };
  const replies = await Promise.all(Array.from({ length: 8 }, () => dashboard.post('/api/auth/login', body)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await dashboard.post('/api/auth/login', body)).toMatchObject(refused);
  expect(await dashboard.loginReply(wallet, { nonce: 'neverissued1' })).toMatchObject(refused);
});

test('a nonce is used up by a failed attempt as well [dashboard.login.nonce-single-use]', async () => {
  const wallet = newWallet();
  const { nonce } = (await dashboard.post('/api/auth/nonce', {})).data;
  expect(await dashboard.loginReply(wallet, { nonce, chainId: 1 })).toMatchObject(refused);
  expect(await dashboard.loginReply(wallet, { nonce })).toMatchObject(refused);
});

test('a nonce lives 10 minutes [dashboard.login.nonce-lifetime]', async () => {
  const wallet = newWallet();
  const issue = async () => (await dashboard.post('/api/auth/nonce', {})).data.nonce as string;
  const [first, second] = [await issue(), await issue()];
  dashboard.clock.advance(10 * 60_000 - 1);
  expect(await dashboard.loginReply(wallet, { nonce: first })).toMatchObject({ status: 200 });
  dashboard.clock.advance(1);
  expect(await dashboard.loginReply(wallet, { nonce: second })).toMatchObject(refused);
});

test('somebody else’s signature does not log in [dashboard.login.wrong-signature]', async () => {
  const wallet = newWallet();
  const attempt = async (sign: (message: string) => string) => {
    const { nonce } = (await dashboard.post('/api/auth/nonce', {})).data;
    const message = createSiweMessage(
      loginMessage(dashboard.url, wallet, { nonce, issuedAt: dashboard.clock.now }),
    );
    return dashboard.post('/api/auth/login', { message, signature: sign(message) });
  };
  expect(await attempt(newWallet().signMessage)).toMatchObject(refused);
  expect(await attempt((message) => wallet.signMessage(`${message} `))).toMatchObject(refused);
  expect(await attempt(() => '0x')).toMatchObject(refused);
  expect(await attempt((message) => wallet.signMessage(message).slice(0, -2))).toMatchObject(refused);
});

test.each<[string, () => Partial<SiweMessage>]>([
  ['a foreign domain [dashboard.login.foreign-domain]', () => ({ domain: 'evil.example.com' })],
  ['a foreign URI [dashboard.login.foreign-domain]', () => ({ uri: 'https://evil.example.com' })],
  ['a foreign chain [dashboard.login.foreign-chain]', () => ({ chainId: 1 })],
  ['a message that has expired [dashboard.login.message-times]', () => ({ expirationTime: minutes(-1) })],
  ['a message of tomorrow [dashboard.login.message-times]', () => ({ notBefore: minutes(60) })],
  [
    'a message that lives too long [dashboard.login.expiration-optional]',
    () => ({ expirationTime: minutes(24 * 60 + 1) }),
  ],
  ['an old message [dashboard.login.issued-at]', () => ({ issuedAt: minutes(-10.1) })],
])('refused: %s', async (_, change) => {
  expect(await dashboard.loginReply(newWallet(), change())).toMatchObject(refused);
});

test.each<[string, () => Partial<SiweMessage>]>([
  [
    'an expiry within a day [dashboard.login.expiration-optional]',
    () => ({ expirationTime: minutes(24 * 60) }),
  ],
  ['no expiry [dashboard.login.expiration-optional]', () => ({})],
  ['an Issued At of 9 minutes ago [dashboard.login.issued-at]', () => ({ issuedAt: minutes(-9) })],
  ['a statement [dashboard.login.statement-optional]', () => ({ statement: 'Welcome.' })],
])('accepted: %s', async (_, change) => {
  expect(await dashboard.loginReply(newWallet(), change())).toMatchObject({ status: 200 });
});

test('the other spelling of this machine logs in too', async () => {
  const { port } = new URL(dashboard.url);
  const there = { domain: `localhost:${port}`, uri: `http://localhost:${port}` };
  expect(await dashboard.loginReply(newWallet(), there)).toMatchObject({ status: 200 });
});

test('text around the message is refused, although it is signed [dashboard.login.canonical-form]', async () => {
  const wallet = newWallet();
  for (const bend of [
    (text: string) => `${text}\nI also agree`,
    (text: string) => text.replace('.000Z', 'Z'),
  ]) {
    const { nonce } = (await dashboard.post('/api/auth/nonce', {})).data;
    const message = bend(
      createSiweMessage(loginMessage(dashboard.url, wallet, { nonce, issuedAt: dashboard.clock.now })),
    );
    const reply = await dashboard.post('/api/auth/login', {
      message,
      signature: wallet.signMessage(message),
    });
    expect(reply).toMatchObject(refused);
  }
});

test('the first login makes the account, later ones find it [dashboard.account.first-login]', async () => {
  const wallet = newWallet();
  const logins = await Promise.all(Array.from({ length: 6 }, () => dashboard.loginReply(wallet)));
  const [first] = logins;
  expect(Object.keys(first?.data.account)).toEqual([
    'id',
    'walletAddress',
    'platformId',
    'publicKey',
    'createdAt',
  ]);
  dashboard.clock.advance(60_000);
  for (const { data } of [...logins, await dashboard.loginReply(wallet)])
    expect(data.account).toEqual(first?.data.account);
});

test('the account has the wallet’s public key and its own label [dashboard.account.public-key] [dashboard.account.platform-id]', async () => {
  const { account, address } = await dashboard.newAccount();
  expect(account.publicKey).toMatch(/^0x04[0-9a-f]{128}$/);
  expect(account.platformId).toBe(`acct_${account.id}`);
  expect(publicKeyToAddress(account.publicKey)).toBe(address);
});

test('me tells who is logged in, by token or by cookie [dashboard.session.me] [dashboard.session.bearer] [dashboard.session.cookie]', async () => {
  const { token, account } = await dashboard.newAccount();
  const me = (headers: Record<string, string>) => dashboard.request('GET', '/api/auth/me', { headers });
  expect(await me({ authorization: `Bearer ${token}` })).toMatchObject({ status: 200, data: { account } });
  expect(await me({ authorization: `bearer ${token}` })).toMatchObject({ status: 200 });
  expect(await me({ cookie: `other=1; platform_session=${token}` })).toMatchObject({
    status: 200,
    data: { account },
  });
});

test('without a session 401 says that one is required [dashboard.session.me] [dashboard.error.access-token-required]', async () => {
  const required = { status: 401, code: 80000044, data: null };
  expect(await dashboard.request('GET', '/api/auth/me')).toMatchObject(required);
  expect(
    await dashboard.request('GET', '/api/auth/me', { headers: { cookie: 'platform_session=' } }),
  ).toMatchObject(required);
  expect(await dashboard.post('/api/mandates/intent/list', {})).toMatchObject(required);
});

test('an API key is no session [dashboard.session.no-api-key]', async () => {
  const { apiKey, token } = await dashboard.newAccount();
  expect(await dashboard.post('/api/mandates/intent/list', { apiKey })).toMatchObject({
    status: 401,
    code: 80000044,
  });
  expect(await dashboard.post('/api/mandates/intent/list', {}, token)).toMatchObject({ status: 200 });
});

test('a session that is forged, expired or revoked is refused [dashboard.error.authentication-failed]', async () => {
  const { token, account } = await dashboard.newAccount();
  const me = (bearer: string) => dashboard.request('GET', '/api/auth/me', { token: bearer });
  const [head, body, signature] = token.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const forged = Buffer.from(JSON.stringify({ sub: account.id, sid: 'ses_1', exp: 9e9 })).toString(
    'base64url',
  );
  for (const bad of [`${token}x`, `${head}.${forged}.${signature}`, `${none}.${body}.`, 'nonsense', '..']) {
    expect(await me(bad)).toMatchObject(refused);
  }
  // A bad token is not passed over in favour of a good cookie.
  const both = { authorization: 'Bearer nonsense', cookie: `platform_session=${token}` };
  expect(await dashboard.request('GET', '/api/auth/me', { headers: both })).toMatchObject(refused);
  dashboard.clock.advance(12 * 60 * 60_000);
  expect(await me(token)).toMatchObject(refused);
});

test('logout ends the session on every process [dashboard.session.logout] [dashboard.error.authentication-failed]', async () => {
  const sibling = await openDashboardForTest({ storage: dashboard.config.storage });
  sibling.clock.now = dashboard.clock.now;
  const { token } = await dashboard.newAccount();
  expect(await sibling.request('GET', '/api/auth/me', { token })).toMatchObject({ status: 200 });
  const reply = await dashboard.post('/api/auth/logout', {}, token);
  expect(reply).toMatchObject({ status: 200, code: 80000000, data: null });
  expect(reply.headers.get('set-cookie')).toMatch(/^platform_session=; Max-Age=0;/);
  for (const each of [dashboard, sibling]) {
    expect(await each.request('GET', '/api/auth/me', { token })).toMatchObject(refused);
  }
});

test('with the cookie, a change needs our own Origin [dashboard.session.csrf]', async () => {
  const { token } = await dashboard.newAccount();
  const create = (headers: Record<string, string>) =>
    dashboard.request('POST', '/api/keys', {
      body: { name: 'k' },
      headers: { cookie: `platform_session=${token}`, ...headers },
    });
  const foreign = { status: 403, code: 80000004 };
  expect(await create({ origin: 'https://evil.example.com' })).toMatchObject(foreign);
  expect(await create({ origin: 'null' })).toMatchObject(foreign);
  expect(await create({})).toMatchObject(foreign);
  expect(await create({ origin: dashboard.url })).toMatchObject({ status: 200 });
  expect(await create({ origin: `http://localhost:${new URL(dashboard.url).port}` })).toMatchObject({
    status: 200,
  });
});

test('with a bearer token no Origin is needed [dashboard.session.csrf.bearer]', async () => {
  const { token } = await dashboard.newAccount();
  expect(await dashboard.post('/api/keys', { name: 'k' }, token)).toMatchObject({ status: 200 });
});
