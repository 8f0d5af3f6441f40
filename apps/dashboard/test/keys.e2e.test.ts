import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { main } from '../src/main.ts';
import { newWallet, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let databaseUrl: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { storage } = dashboard.config;
  if (storage.kind === 'given') databaseUrl = storage.url;
});
afterAll(() => dashboard.stop());

const lookUp = (apiKey: unknown, walletAddress: string) =>
  dashboard.post('/api/accounts/public-key', { apiKey, walletAddress });
const ofNewKey = ['id', 'apiKey', 'name', 'prefix', 'createdAt'];
const reach = ['scopes', 'agentWallet', 'expiresAt'];
const invalid = { status: 401, code: 80000040, data: null };

test('a key is 256 random bits, and made for its account [dashboard.key.create] [dashboard.key.form]', async () => {
  const { token } = await dashboard.newAccount();
  const { status, data } = await dashboard.post('/api/keys', { name: 'gateway' }, token);
  expect(status).toBe(200);
  expect(Object.keys(data)).toEqual([...ofNewKey, ...reach]);
  expect(data.apiKey).toMatch(/^csk_[\w-]{43}$/);
  expect(data.apiKey.startsWith(data.prefix)).toBe(true);
});

test('keys are listed without their text, newest first [dashboard.key.list] [dashboard.key.shown-once]', async () => {
  const { token, apiKey } = await dashboard.newAccount();
  const second = (await dashboard.post('/api/keys', { name: 'second' }, token)).data;
  const { data } = await dashboard.request('GET', '/api/keys', { token });
  expect(data.data.map(({ name }: { name: string }) => name)).toEqual(['second', 'test']);
  const shown = ['id', 'name', 'prefix', 'createdAt', 'lastUsedAt', 'revokedAt', ...reach];
  expect(Object.keys(data.data[0])).toEqual(shown);
  expect(data.data[0]).toMatchObject({ id: second.id, lastUsedAt: null, revokedAt: null });
  expect(JSON.stringify(data)).not.toContain(apiKey);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select k::text as text from dashboard.api_key k');
  await client.end();
  expect(rows.map(({ text }) => text).join()).not.toContain(second.apiKey);
});

test('the list tells when a key was used last', async () => {
  const { token, apiKey, address } = await dashboard.newAccount();
  await lookUp(apiKey, address);
  const lastUse = async () =>
    (await dashboard.request('GET', '/api/keys', { token })).data.data[0].lastUsedAt;
  await expect.poll(lastUse).toBe(dashboard.clock.now.toISOString());
});

test('a revoked key is refused from then on [dashboard.key.revoke] [dashboard.error.api-key-invalid]', async () => {
  const { token, apiKey, address } = await dashboard.newAccount();
  expect(await lookUp(apiKey, address)).toMatchObject({ status: 200 });
  const [{ id }] = (await dashboard.request('GET', '/api/keys', { token })).data.data;
  const revoke = () => dashboard.request('DELETE', `/api/keys/${id}`, { token });
  expect(await revoke()).toMatchObject({ status: 200, data: { id } });
  expect(await lookUp(apiKey, address)).toMatchObject(invalid);
  expect(await revoke()).toMatchObject({ status: 200, data: { id } });
});

test('a missing or unknown key is 401 [dashboard.error.api-key-invalid] [dashboard.envelope.code-apart-from-status]', async () => {
  const { address } = await dashboard.newAccount();
  for (const key of [undefined, null, 5, '', 'csk_', `csk_${'A'.repeat(43)}`]) {
    expect(await lookUp(key, address)).toMatchObject(invalid);
  }
});

test('a session does not stand in for a key [dashboard.api-key.in-body]', async () => {
  const { token, apiKey, address } = await dashboard.newAccount();
  const path = '/api/accounts/public-key';
  expect(await dashboard.post(path, { walletAddress: address }, token)).toMatchObject(invalid);
  const inHeader = { body: { walletAddress: address }, headers: { 'x-api-key': apiKey } };
  expect(await dashboard.request('POST', path, inHeader)).toMatchObject(invalid);
  expect(await dashboard.post(path, { apiKey, walletAddress: address })).toMatchObject({ status: 200 });
});

test('the key of another account does not exist for me [dashboard.error.foreign.key] [dashboard.error.business-not-found]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const [{ id }] = (await dashboard.request('GET', '/api/keys', { token: theirs.token })).data.data;
  for (const each of [id, 'key_unknown', '%20']) {
    expect(await dashboard.request('DELETE', `/api/keys/${each}`, { token: mine.token })).toMatchObject({
      status: 404,
      code: 80000011,
      data: null,
    });
  }
  expect(await lookUp(theirs.apiKey, mine.address)).toMatchObject({ status: 200 });
});

test('a public key is told to any key holder [dashboard.public-key.success] [dashboard.public-key.any-counterparty]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const { publicKey } = theirs.account;
  expect(await lookUp(mine.apiKey, theirs.address)).toEqual(
    expect.objectContaining({
      status: 200,
      code: 80000000,
      data: { walletAddress: theirs.address, publicKey },
    }),
  );
});

test('addresses mean the same in any case, and come back checksummed [dashboard.address.any-case] [dashboard.address.returned-checksummed]', async () => {
  const { apiKey, address } = await dashboard.newAccount();
  for (const spelling of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    expect((await lookUp(apiKey, spelling)).data.walletAddress).toBe(address);
  }
});

test('an unknown account is not found [dashboard.public-key.unknown-account] [dashboard.error.business-not-found]', async () => {
  const { apiKey } = await dashboard.newAccount();
  const reply = await lookUp(apiKey, newWallet().address);
  expect(reply).toMatchObject({ status: 404, code: 80000011, data: null });
  expect(reply.msg).toContain('account not found');
});

async function operatorKey(): Promise<string> {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    await main(['create-operator-key'], { DATABASE_URL: databaseUrl });
  } finally {
    write.mockRestore();
  }
  return printed.trim();
}

test('an operator key is printed and acts for every payer [dashboard.operator-key.create] [dashboard.operator-key.any-payer]', async () => {
  const apiKey = await operatorKey();
  expect(apiKey).toMatch(/^csk_[\w-]{43}$/);
  for (const owner of [await dashboard.newAccount(), await dashboard.newAccount()]) {
    const intentMandateId = await dashboard.newMandate(owner);
    const vc = () => dashboard.post('/api/mandates/intent/vc', { apiKey, payerWalletAddress: owner.address });
    expect(await vc()).toMatchObject({ status: 200, data: { mandate: { id: intentMandateId } } });
    const report = { apiKey, ...paymentOf(owner.address, { amount: '1', intentMandateId }) };
    expect(await dashboard.post('/api/transactions', report)).toMatchObject({ status: 201 });
    expect((await vc()).data.mandate.usedAmount).toBe('1');
  }
});

test('an operator key is in no account’s list', async () => {
  await operatorKey();
  const { token } = await dashboard.newAccount();
  expect((await dashboard.request('GET', '/api/keys', { token })).data.data).toHaveLength(1);
});

const newKey = async (token: string) => (await dashboard.post('/api/keys', { name: 'gateway' }, token)).data;
const roll = (token: string, id: string, body: object = {}) =>
  dashboard.post(`/api/keys/${id}/roll`, body, token);

test('a rolled key has a successor of its name and works until the grace ends [dashboard.key.roll]', async () => {
  const { token, address } = await dashboard.newAccount();
  const old = await newKey(token);
  const reply = await roll(token, old.id, { graceSeconds: 3600 });
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.data)).toEqual([...ofNewKey, ...reach]);
  expect(reply.data.name).toBe('gateway');
  expect(reply.data.apiKey).not.toBe(old.apiKey);
  for (const { apiKey } of [old, reply.data])
    expect(await lookUp(apiKey, address)).toMatchObject({ status: 200 });
  const listed = (await dashboard.request('GET', '/api/keys', { token })).data.data;
  const ends = new Date(dashboard.clock.now.getTime() + 3600_000).toISOString();
  expect(listed.find(({ id }: { id: string }) => id === old.id).revokedAt).toBe(ends);
  dashboard.clock.advance(3600_000);
  expect(await lookUp(old.apiKey, address)).toMatchObject(invalid);
  expect(await lookUp(reply.data.apiKey, address)).toMatchObject({ status: 200 });
});

test('without a grace the old key ends at once; a grace can be cut short [dashboard.key.roll] [dashboard.key.revoke]', async () => {
  const { token, address } = await dashboard.newAccount();
  const first = await newKey(token);
  const second = (await roll(token, first.id)).data;
  expect(await lookUp(first.apiKey, address)).toMatchObject(invalid);
  await roll(token, second.id, { graceSeconds: 604_800 });
  expect(await lookUp(second.apiKey, address)).toMatchObject({ status: 200 });
  await dashboard.request('DELETE', `/api/keys/${second.id}`, { token });
  expect(await lookUp(second.apiKey, address)).toMatchObject(invalid);
  expect(await roll(token, second.id, { graceSeconds: 604_801 })).toMatchObject({ code: 80000012 });
});

test('a key is rolled once, by its own account [dashboard.key.roll.once] [dashboard.error.foreign.key]', async () => {
  const [{ token }, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const { id } = await newKey(token);
  expect(await roll(other.token, id)).toMatchObject({ status: 404, code: 80000011 });
  const replies = await Promise.all(Array.from({ length: 6 }, () => roll(token, id, { graceSeconds: 60 })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await dashboard.request('GET', '/api/keys', { token })).data.data).toHaveLength(3);
});
