import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashPassword } from '@countersign/service/password';
import { openVault, randomPassword } from './vault.ts';

let vault: Awaited<ReturnType<typeof openVault>>;
beforeAll(async () => {
  vault = await openVault();
});
afterAll(() => vault?.stop());
// What the test before did is out of every window.
beforeEach(() => vault.advance(60 * 86_400));

const list = (token: string) => vault.ask('GET', '/api/v1/credentials', { token });
const refresh = (refresh_token: string) =>
  vault.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token } });
const expired = { status: 401, data: { error: { code: 'token_expired' } } };

test('an access token lives 15 minutes and has the scopes of its user [vault.login.access-lifetime] [vault.error.token-expired] [vault.token.claims]', async () => {
  const { access_token: token } = (await vault.login()).data;
  const verify = () => vault.ask('POST', '/api/v1/tokens/verify', { token, body: { token } });
  expect((await verify()).data).toMatchObject({ valid: true, scopes: ['admin'] });
  vault.advance(899);
  expect(await list(token)).toMatchObject({ status: 200 });
  vault.advance(2);
  expect(await list(token)).toMatchObject(expired);
});

test('a refresh token lives 30 days [vault.login.refresh-lifetime]', async () => {
  const { refresh_token } = (await vault.login()).data;
  vault.advance(30 * 86_400 - 1);
  const next = await refresh(refresh_token);
  expect(next).toMatchObject({ status: 200 });
  vault.advance(30 * 86_400);
  expect(await refresh(next.data.refresh_token)).toMatchObject(expired);
});

test('a generated token ends when it says, and verify tells why it is bad [vault.token.verify.invalid]', async () => {
  const login = async () => (await vault.login()).data.access_token as string;
  const body = { name: 'short', scopes: ['credential:read'], expires_in: 60 };
  const { token } = (await vault.ask('POST', '/api/v1/tokens', { token: await login(), body })).data;
  expect(await list(token)).toMatchObject({ status: 200 });
  vault.advance(60);
  expect(await list(token)).toMatchObject(expired);
  const verified = await vault.ask('POST', '/api/v1/tokens/verify', {
    token: await login(),
    body: { token },
  });
  expect(verified.data).toEqual({ valid: false, reason: 'expired' });
});

test('a credential opens until its last moment [vault.credential.decrypt.expired]', async () => {
  const { access_token: token } = (await vault.login()).data;
  const { expires_at } = (await vault.ask('POST', '/api/v1/tokens/verify', { token, body: { token } })).data;
  const body = {
    service_id: 's',
    credential_type: 'ssh_key',
    plaintext_data: { ssh_key: 'k' },
    expires_at: new Date(Date.parse(expires_at) - 600_000).toISOString(),
  };
  const { id } = (await vault.ask('POST', '/api/v1/credentials', { token, body })).data;
  const decrypt = () =>
    vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, { token, body: { reason: 'test' } });
  expect(await decrypt()).toMatchObject({ status: 200 });
  vault.advance(301);
  expect(await decrypt()).toMatchObject({ status: 422, data: { error: { code: 'credential_expired' } } });
});

test('a name is free again at an address when its oldest of five failures from there is 15 minutes old [vault.login.rate-limit.user]', async () => {
  for (let i = 0; i < 5; i += 1) {
    expect(await vault.login('alice', 'wrong')).toMatchObject({ status: 401 });
    vault.advance(60);
  }
  const blocked = await vault.login();
  expect(blocked).toMatchObject({ status: 429, data: { error: { code: 'rate_limited' } } });
  const seconds = Number(blocked.headers.get('retry-after'));
  expect(seconds).toBe(600);
  vault.advance(seconds - 1);
  expect(await vault.login()).toMatchObject({ status: 429 });
  vault.advance(1);
  expect(await vault.login()).toMatchObject({ status: 200 });
});

test('failures from elsewhere lock nobody out [vault.login.rate-limit.user]', async () => {
  await vault.failures(100, { username: 'alice', address: '203.0.113.7' });
  expect(await vault.login('alice', 'wrong')).toMatchObject({ status: 401 });
  expect(await vault.login()).toMatchObject({ status: 200 });
});

test('who has a password that a program made gets in, whatever others tried at the same address, and nobody else does [vault.login.rate-limit.random]', async () => {
  await vault.addUser('machine', 'acme', ['admin'], await hashPassword(randomPassword));
  await vault.failures(5, { username: 'machine' });
  await vault.failures(50);
  expect(await vault.login('machine', 'wrong')).toMatchObject({ status: 429 });
  expect(await vault.login('machine', randomPassword)).toMatchObject({ status: 200 });
  // It opens no other account, and each try counts.
  expect(await vault.login('alice', randomPassword)).toMatchObject({ status: 401 });
  expect(await vault.login()).toMatchObject({ status: 429 });
});

test('a token that was cut is over by then, whatever its text says [vault.token.generate.parent-ends]', async () => {
  const maker = (await vault.login()).data.access_token;
  const body = { name: 'old', scopes: ['credential:read'] };
  const { id, token, created_at, expires_at } = (
    await vault.ask('POST', '/api/v1/tokens', { token: maker, body })
  ).data;
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(86_400_000);
  expect(await list(token)).toMatchObject({ status: 200 });
  await vault.database.query('update vault.token set expires_at = $2 where id = $1', [id, vault.now()]);
  expect(await list(token)).toMatchObject(expired);
});

test('attempts that are made together get no further than those one after the other', async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => vault.login('together', 'wrong')));
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(3);
});

test('an address is refused after fifty failures, whatever the names [vault.login.rate-limit.address]', async () => {
  await vault.failures(49);
  expect(await vault.login()).toMatchObject({ status: 200 });
  await vault.failures(1);
  const blocked = await vault.login();
  expect(blocked).toMatchObject({ status: 429, data: { error: { code: 'rate_limited' } } });
  expect(blocked.headers.get('retry-after')).toBe('900');
  vault.advance(900);
  expect(await vault.login()).toMatchObject({ status: 200 });
});
