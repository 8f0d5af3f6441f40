import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { type Address, parseAddress } from '@countersign/protocol/address';
import type { Role } from '@countersign/protocol/dashboard/roles';
import { type AssertedTo, type SignedIn, writeAssertion } from '@countersign/service/person-assertion';
import { isPassword } from '@countersign/service/password';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVault } from './vault.ts';

const dashboard = generateKeyPairSync('ed25519');
const wallet = (digit: string): Address => {
  const address = parseAddress(`0x${digit.repeat(40)}`);
  if (address === null) throw new Error('no address');
  return address;
};
const [acme, globex, stranger] = [wallet('1'), wallet('2'), wallet('3')];

let vault: Awaited<ReturnType<typeof openVault>>;
const linked = new Map([
  [acme, 'acme'],
  [globex, 'globex'],
]);
beforeAll(async () => {
  vault = await openVault(undefined, [], undefined, { key: dashboard.publicKey, tenants: linked });
});
afterAll(() => vault.stop());

type Said = { key?: KeyObject; to?: AssertedTo; id?: string; sinceSeconds?: number };

let people = 0;
const newPerson = (roles: readonly Role[], more: Partial<SignedIn> = {}): SignedIn => ({
  account: acme,
  person: `per_${(people += 1)}`,
  name: 'Olga',
  roles,
  session: randomUUID(),
  ...more,
});

const say = (who: SignedIn, { key, to, id, sinceSeconds = 0 }: Said = {}): Promise<string> =>
  writeAssertion(key ?? dashboard.privateKey, to ?? 'countersign-vault', who, {
    id: id ?? randomUUID(),
    now: new Date(vault.now().getTime() - sinceSeconds * 1000),
  });

const show = (assertion: string, path = '') =>
  vault.ask('POST', `/api/v1/auth/person${path}`, { body: { assertion } });
/** The same claims under an HMAC, whose key is our public one: some verifiers take it for the signature's. */
function madeOf(assertion: string): string {
  const [, claims = ''] = assertion.split('.');
  const again = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), jti: randomUUID() }),
  );
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'countersign-person+jwt' }));
  const signed = `${header.toString('base64url')}.${again.toString('base64url')}`;
  const key = dashboard.publicKey.export({ type: 'spki', format: 'pem' });
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

const enter = async (who: SignedIn, said?: Said) => show(await say(who, said));
const tokenOf = async (who: SignedIn): Promise<string> => (await enter(who)).data.access_token;
const statusOf = async (token: string, path = '/api/v1/credentials') =>
  (await vault.ask('GET', path, { token })).status;
const newToken = async (token: string, ...scopes: string[]) =>
  (await vault.ask('POST', '/api/v1/tokens', { token, body: { name: 'for an agent', scopes } })).data.token;

test('a person whom the dashboard signed in gets a token of 15 minutes with what their roles give, and is in the log by name [vault.person.exchange] [vault.person.roles]', async () => {
  const owner = newPerson(['owner']);
  const { status, data } = await enter(owner);
  expect([status, data.token_type, data.expires_in, data.username, data.scopes, data.refresh_token]).toEqual([
    200,
    'Bearer',
    900,
    `Olga (${owner.person})`,
    ['admin'],
    undefined,
  ]);
  const auditor = await enter(newPerson(['auditor', 'merchant']));
  expect(auditor.data.scopes.toSorted()).toEqual(['audit:read', 'credential:read']);
  expect(await statusOf(auditor.data.access_token)).toBe(200);
  const create = { service_id: 's', credential_type: 'ssh_key', plaintext_data: { ssh_key: 'k' } };
  expect(
    (await vault.ask('POST', '/api/v1/credentials', { token: auditor.data.access_token, body: create }))
      .status,
  ).toBe(403);
  for (const role of ['operator', 'merchant', 'approver'] as const)
    expect((await enter(newPerson([role]))).data.error.code).toBe('insufficient_scope');
  vault.advance(901);
  expect(await statusOf(data.access_token)).toBe(401);
});

test('an assertion counts once, for this vault, by this dashboard’s key and for an account that has a tenant [vault.person.assertion]', async () => {
  const who = newPerson(['owner']);
  const text = await say(who);
  // The control: it opens the vault.
  expect((await show(text)).status).toBe(200);
  expect((await show(text)).data.error.message).toContain('shown before');
  const together = await say(who);
  const at = await Promise.all([1, 2, 3, 4].map(() => show(together)));
  expect(at.filter(({ status }) => status === 200)).toHaveLength(1);
  const other = generateKeyPairSync('ed25519').privateKey;
  const forged = [
    await say(who, { key: other }),
    await say(who, { to: 'countersign-control-plane' }),
    text.replace(/\.[^.]+$/, '.'),
    'v4.local.nothing',
    // What a service with our public key alone could make of it.
    madeOf(text),
  ];
  for (const each of forged) {
    const { status, data } = await show(each);
    expect([status, data.error.code]).toEqual([401, 'unauthorized']);
  }
  const unlinked = await enter(newPerson(['owner'], { account: stranger }));
  expect([unlinked.status, unlinked.data.error.code]).toEqual([403, 'insufficient_scope']);
});

test('clocks may differ by a minute either way, and no more [vault.person.clock-skew]', async () => {
  const who = newPerson(['owner']);
  for (const sinceSeconds of [118, 60, -58]) expect((await enter(who, { sinceSeconds })).status).toBe(200);
  for (const sinceSeconds of [123, 600, -63]) expect((await enter(who, { sinceSeconds })).status).toBe(401);
});

test('a person of one tenant sees nothing of another’s, also under the same name and id [vault.person.tenant]', async () => {
  const ours = newPerson(['owner']);
  const theirs = { ...ours, account: globex, person: 'per_theirs' };
  const body = { service_id: 's', credential_type: 'ssh_key', plaintext_data: { ssh_key: 'k' } };
  const kept = await vault.ask('POST', '/api/v1/credentials', { token: await tokenOf(ours), body });
  expect(kept.status).toBe(201);
  const token = await tokenOf(ours);
  const { data: log } = await vault.ask('GET', '/api/v1/audit/logs?limit=1', { token });
  expect(log.items[0].actor).toBe(`user:Olga (${ours.person})`);
  const path = `/api/v1/credentials/${kept.data.id}`;
  expect(await statusOf(await tokenOf(ours), path)).toBe(200);
  expect(await statusOf(await tokenOf(theirs), path)).toBe(404);
});

test('who is removed loses every login and what they gave to agents at once, and comes again only by a later word [vault.person.end]', async () => {
  const owner = newPerson(['owner']);
  const earlier = await say(owner);
  const [token, other] = [await tokenOf(owner), await tokenOf({ ...owner, session: randomUUID() })];
  const given = await newToken(token, 'credential:read');
  // A generated token makes another: it ends, too.
  const child = await newToken(given, 'credential:read');
  for (const each of [token, other, given, child]) expect(await statusOf(each)).toBe(200);
  const ended = await show(await say({ ...owner, roles: [], session: null }), '/end');
  expect([ended.status, ended.data]).toEqual([200, { revoked: 4 }]);
  for (const each of [token, other, given, child]) expect(await statusOf(each)).toBe(401);
  expect((await show(earlier)).data.error.message).toContain('removed');
  // Whom the dashboard lets in again has the same id, and nothing of what was ended.
  vault.advance(0.001);
  expect((await enter(owner)).data.scopes).toEqual(['admin']);
  for (const each of [token, given, child]) expect(await statusOf(each)).toBe(401);
});

test('what was said of somebody who never came counts no longer either, by the millisecond, once they are ended [vault.person.end]', async () => {
  const owner = newPerson(['owner']);
  const end = { ...owner, roles: [], session: null };
  const [earlier, together] = [await say(owner, { sinceSeconds: 0.001 }), await say(owner)];
  expect((await show(await say(end), '/end')).data).toEqual({ revoked: 0 });
  for (const each of [earlier, together]) expect((await show(each)).status).toBe(401);
  vault.advance(0.001);
  expect((await enter(owner)).status).toBe(200);
});

test('an entry that is under way while its person is ended leaves nothing, in whatever order both come [vault.person.end]', async () => {
  for (let round = 0; round < 10; round += 1) {
    const owner = newPerson(['owner']);
    const said = await say(owner);
    const ended = await say({ ...owner, roles: [], session: null });
    const [entered] = await Promise.all([show(said), show(ended, '/end')]);
    const left = entered.status === 200 ? await statusOf(entered.data.access_token) : entered.status;
    expect(left).toBe(401);
    vault.advance(1);
  }
});

test('whose account is linked no longer is still ended [vault.person.end]', async () => {
  const owner = newPerson(['owner']);
  const token = await tokenOf(owner);
  linked.delete(acme);
  expect((await enter(owner)).status).toBe(403);
  expect((await show(await say({ ...owner, roles: [] }), '/end')).data).toEqual({ revoked: 1 });
  linked.set(acme, 'acme');
  expect(await statusOf(token)).toBe(401);
});

test('a change of roles ends the logins, and the generated tokens that the new roles do not allow [vault.person.end]', async () => {
  const owner = newPerson(['owner']);
  const earlier = await say(owner);
  const token = await tokenOf(owner);
  const [reads, uses] = [await newToken(token, 'credential:read'), await newToken(token, 'credential:use')];
  vault.advance(2);
  const lowered = { ...owner, roles: ['auditor'] as const };
  expect((await show(await say({ ...lowered, session: null }), '/end')).status).toBe(200);
  expect([await statusOf(token), await statusOf(reads), await statusOf(uses)]).toEqual([401, 200, 401]);
  // What was said before the change is too late; what is said after it gives less.
  expect((await show(earlier)).status).toBe(401);
  vault.advance(0.001);
  expect((await enter(lowered)).data.scopes.toSorted()).toEqual(['audit:read', 'credential:read']);
});

test('one session’s logout ends what it got, and nobody logs in with a person’s name and a password [vault.person.exchange]', async () => {
  const owner = newPerson(['owner']);
  const [first, again] = [await tokenOf(owner), await tokenOf(owner)];
  const elsewhere = await tokenOf({ ...owner, session: randomUUID() });
  expect((await vault.ask('POST', '/api/v1/auth/logout', { token: first, body: {} })).status).toBe(200);
  expect([await statusOf(first), await statusOf(again), await statusOf(elsewhere)]).toEqual([401, 401, 200]);
  const name = `Olga (${owner.person})`;
  for (const password of ['a good password', 'nobody', '!'])
    expect((await vault.login(name, password)).status).toBe(401);
  // A process of the version before finds the row by its name, and lets in whoever has the password of its hash.
  const { rows } = await vault.database.query<{ hash: string | null }>(
    'select password_hash as hash from vault.account where name = $1',
    [name],
  );
  expect(rows).toEqual([{ hash: '!' }]);
  expect(await isPassword(rows[0]?.hash ?? '', 'nobody')).toBe(false);
  expect((await vault.login()).status).toBe(200);
});

test('a person has 200 valid tokens at a time, whoever made them with theirs; revoked and expired ones do not count [vault.person.tokens]', async () => {
  const owner = newPerson(['owner']);
  const token = await tokenOf(owner);
  const make = (by: string, seconds = 86_400) =>
    vault.ask('POST', '/api/v1/tokens', {
      token: by,
      body: { name: 'for an agent', scopes: ['admin'], expires_in: seconds },
    });
  const first = (await make(token)).data;
  await vault.database.query(
    `insert into vault.token (id, tenant_id, account, kind, name, scopes, parent, created_at, expires_at)
     select gen_random_uuid(), t.tenant_id, t.account, 'api', 'made', t.scopes, t.id, t.created_at, t.created_at + interval '1 hour'
     from vault.token t, generate_series(1, 197) where t.id = $1`,
    [first.id],
  );
  // Two are left: of many at once two are made, by the person or by what they made.
  const together = await Promise.all([token, first.token, token, first.token, token].map((by) => make(by)));
  expect(together.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 201, 429, 429, 429,
  ]);
  expect((await make(token)).data.error).toMatchObject({ code: 'rate_limited' });
  const done = together.find(({ status }) => status === 201)?.data.id;
  expect((await vault.ask('POST', `/api/v1/tokens/${done}/revoke`, { token })).status).toBe(200);
  expect((await make(token)).status).toBe(201);
  // Control: another person, and a user of the vault, make theirs.
  expect((await make(await tokenOf(newPerson(['owner'])))).status).toBe(201);
  vault.advance(60 * 60);
  const back = await tokenOf(owner);
  expect((await make(back)).status).toBe(201);
});

test('that somebody ended is forgotten a day later, when nothing said before would be taken anyway [vault.person.end-forgotten]', async () => {
  const endings = async () =>
    (await vault.database.query<{ person: string }>('select person from vault.person_ended')).rows.map(
      ({ person }) => person.split('/')[1],
    );
  const end = async (who: SignedIn) => show(await say({ ...who, roles: [], session: null }), '/end');
  const [first, second, third] = [newPerson(['owner']), newPerson(['owner']), newPerson(['owner'])];
  await end(first);
  vault.advance(24 * 60 * 60 - 1);
  await end(second);
  expect(await endings()).toEqual(expect.arrayContaining([first.person, second.person]));
  const early = await say(first, { sinceSeconds: 24 * 60 * 60 });
  vault.advance(1);
  await end(third);
  const left = await endings();
  expect(left).toEqual(expect.arrayContaining([second.person, third.person]));
  expect(left).not.toContain(first.person);
  expect((await show(early)).status).toBe(401);
  // Ending the same person again keeps the newer of both.
  vault.advance(25 * 60 * 60);
  await end(third);
  expect(await endings()).toEqual([third.person]);
});
