import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
} from '../../../../packages/service/test/identity-provider.ts';
import { everythingKept, foundIn } from '../../../../packages/service/test/everything-kept.ts';
import {
  type Json,
  newWallet,
  openDashboard,
  openDashboardForTest,
  type TestDashboard,
} from '../dashboard.ts';
import { erase, exportOf, urlOf } from '../personal-data.ts';
import { peopleCalls } from '../people/people.ts';
import { browserAt, consoleOrigin, logInAtProvider, redirectUri } from './browser.ts';

const wallet = newWallet();
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let dashboard: TestDashboard;
let owner: Awaited<ReturnType<TestDashboard['newAccount']>>;
let people: ReturnType<typeof peopleCalls>;

const settings = () => ({
  issuer: provider.issuer,
  clientId,
  clientSecret,
  name: 'Example Login',
  scope: 'openid profile',
  groupClaim: 'groups',
  rolesOfGroups: new Map([
    ['finance', ['approver', 'auditor'] as const],
    ['it', ['admin'] as const],
    ['constructor', ['merchant'] as const],
  ]),
  account: wallet.address,
});

beforeAll(async () => {
  provider = await startIdentityProvider();
  provider.open([redirectUri]);
  dashboard = await openDashboard({ otherOrigins: [new URL(consoleOrigin)], providerLogin: settings() });
  dashboard.clock.now = new Date();
  owner = await dashboard.newAccount(wallet);
  people = peopleCalls(dashboard);
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});

let count = 0;
/** Somebody whom the provider knows. */
function newcomer(about: Readonly<Record<string, unknown>> = { groups: ['finance'] }): string {
  const login = `subject-${++count}`;
  provider.people.set(login, { name: `Ada the ${count}.`, ...about });
  return login;
}

async function logIn(login: string, at: TestDashboard = dashboard) {
  // The provider's clock is the machine's, and goes on.
  at.clock.now = new Date();
  const { begin, comeBack } = browserAt(at);
  const { url, cookie } = await begin();
  return comeBack(await logInAtProvider(url, login), cookie);
}
const me = async ({ data }: Json, at = dashboard) => (await peopleCalls(at).me(data.token)).data.person;
const list = async () => (await dashboard.request('GET', '/api/people', { token: owner.token })).data.data;
const changes = async () =>
  (await dashboard.request('GET', '/api/people/changes', { token: owner.token })).data.data;
const wrong = { status: 401, code: 80000019 };
const forbidden = { status: 403, code: 80000004 };

test('whoever a group lets in is a person of the account with its roles, and the same one each time [dashboard.provider-login] [dashboard.provider-login.roles]', async () => {
  const login = newcomer({ name: 'Ada Byron', groups: ['cleaning', 'finance', 'it'] });
  const reply = await logIn(login);
  expect(reply).toMatchObject({ status: 200, data: { account: owner.account } });
  expect(reply.headers.get('set-cookie')).toMatch(/^platform_session=.+; HttpOnly; SameSite=Lax; Secure/);
  const person = await me(reply);
  expect(person).toMatchObject({ name: 'Ada Byron', roles: ['admin', 'approver', 'auditor'], holder: false });
  expect(await me(await logIn(login))).toEqual(person);
  expect((await list()).filter(({ id }: Json) => id === person.id)).toMatchObject([
    { issuer: provider.issuer, userName: null, passkeys: 0 },
  ]);
  expect((await changes())[0]).toMatchObject({
    deed: 'providerJoined',
    by: { id: person.id },
    outcome: 'done',
  });
});

test('somebody else with the same e-mail address and name is somebody else [dashboard.provider-login.subject]', async () => {
  const claims = {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    email_verified: true,
    groups: ['finance'],
  };
  const [one, other] = [await logIn(newcomer(claims)), await logIn(newcomer(claims))];
  const [first, second] = [await me(one), await me(other)];
  expect(first.id).not.toBe(second.id);
  expect([first.name, second.name]).toEqual(['Grace Hopper', expect.stringMatching(/^Person .{6}$/)]);
  // One who was invited is no person of the provider's either, whatever the name.
  const invited = await people.newPerson(owner, ['approver'], 'Katherine');
  const { id, name } = await me(await logIn(newcomer({ name: 'katherine', groups: ['it'] })));
  expect([id === invited.id, name]).toEqual([false, expect.stringMatching(/^Person /)]);
});

test('no name of a provider hides a part of itself or is the holder’s [dashboard.provider-login.name]', async () => {
  const names = ['Ada\u202eegral', '\u200b', 'Wallet’s holder', 'x'.repeat(65), '', 17, null, ['Ada']];
  for (const name of names) {
    const groups = ['finance'];
    const person = await me(await logIn(newcomer({ name, preferred_username: name, groups })));
    expect([name, person.name]).toEqual([name, expect.stringMatching(/^Person .{6}$/)]);
  }
  const second = await me(
    await logIn(newcomer({ name: '\u2066', preferred_username: 'hedy', groups: ['it'] })),
  );
  expect(second.name).toBe('hedy');
});

test('other groups give other roles at the next login, and end sessions and keys of the old ones [dashboard.provider-login.changed]', async () => {
  const login = newcomer({ groups: ['it'] });
  const before = await logIn(login);
  const { id } = await me(before);
  const key = (await dashboard.post('/api/keys', { name: 'theirs' }, before.data.token)).data;
  const works = () => dashboard.post('/api/kyc/check', { apiKey: key.apiKey, walletAddress: owner.address });
  expect(await works()).toMatchObject({ status: 200 });
  const invited = await people.invite(before.data.token, ['auditor']);
  provider.people.set(login, { groups: ['finance'] });
  expect(await people.me(before.data.token)).toMatchObject({ status: 200 });
  const after = await logIn(login);
  expect(await me(after)).toMatchObject({ id, roles: ['approver', 'auditor'] });
  expect(await people.me(before.data.token)).toMatchObject({ status: 401 });
  expect(await works()).toMatchObject({ status: 401 });
  const offer = {
    token: invited.data.token,
    password: { userName: 'some.name', password: 'long enough it is' },
  };
  expect(await people.accept(offer)).toMatchObject({ status: 404 });
  expect((await changes())[0]).toMatchObject({ deed: 'providerChanged', subject: id });
});

test('whoever loses every group is refused, and is no person of the account until a group lets them in again [dashboard.provider-login.left]', async () => {
  const login = newcomer({ groups: ['it'] });
  const before = await logIn(login);
  const { id } = await me(before);
  const key = (await dashboard.post('/api/keys', { name: 'theirs' }, before.data.token)).data;
  for (const groups of [['cleaning'], []]) {
    provider.people.set(login, { groups });
    expect(await logIn(login)).toMatchObject({
      ...wrong,
      msg: expect.stringContaining('none of your groups'),
    });
  }
  expect(await people.me(before.data.token)).toMatchObject({ status: 401 });
  const check = { apiKey: key.apiKey, walletAddress: owner.address };
  expect(await dashboard.post('/api/kyc/check', check)).toMatchObject({ status: 401 });
  expect((await list()).some((one: Json) => one.id === id)).toBe(false);
  expect((await changes())[0]).toMatchObject({ deed: 'providerLeft', subject: id });
  provider.people.set(login, { groups: ['finance'] });
  expect(await me(await logIn(login))).toMatchObject({ id, roles: ['approver', 'auditor'] });
});

test('groups that are not a list of names let nobody in and change nobody; ten thousand are read [dashboard.provider-login.groups]', async () => {
  const login = newcomer({ groups: ['finance'] });
  const before = await logIn(login);
  for (const groups of ['finance', { finance: true }, [['finance']], ['finance', 7], 7, true]) {
    provider.people.set(login, { groups });
    const reply = await logIn(login);
    expect([groups, reply]).toMatchObject([
      groups,
      { ...wrong, msg: expect.stringContaining('not a list of names') },
    ]);
  }
  expect(await people.me(before.data.token)).toMatchObject({ status: 200 });
  const many = Array.from({ length: 10_000 }, (_, n) => `group-${n}`);
  provider.people.set(login, { groups: [...many, 'it'] });
  expect(await me(await logIn(login))).toMatchObject({ roles: ['admin'] });
  provider.people.set(login, { groups: [...many, '__proto__', 'toString', 'Finance', 'finance '] });
  expect(await logIn(login)).toMatchObject(wrong);
  provider.people.set(login, { groups: ['constructor'] });
  expect(await me(await logIn(login))).toMatchObject({ roles: ['merchant'] });
  // More than a megabyte is read by nobody.
  provider.people.set(login, { groups: ['it', 'x'.repeat(1_100_000)] });
  expect(await logIn(login)).toMatchObject({ ...wrong, data: { error: 'untrusted_answer' } });
});

test('groups that are left out, or said elsewhere because they are many, change nobody [dashboard.provider-login.groups]', async () => {
  const login = newcomer({ groups: ['it'] });
  const before = await logIn(login);
  const key = (await dashboard.post('/api/keys', { name: 'theirs' }, before.data.token)).data;
  const elsewhere = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://graph.example/getMemberObjects' } },
  };
  const left = [
    [{}, 'does not send your groups'],
    [{ groups: null }, 'does not send your groups'],
    [elsewhere, 'omits your groups'],
    [{ ...elsewhere, groups: ['cleaning'] }, 'omits your groups'],
    [{ hasgroups: true }, 'omits your groups'],
  ] as const;
  for (const [claims, why] of left) {
    provider.people.set(login, claims);
    expect([claims, await logIn(login)]).toMatchObject([
      claims,
      { ...wrong, msg: expect.stringContaining(why) },
    ]);
    expect(await logIn(newcomer(claims))).toMatchObject(wrong);
  }
  expect(await people.me(before.data.token)).toMatchObject({ status: 200 });
  const check = { apiKey: key.apiKey, walletAddress: owner.address };
  expect(await dashboard.post('/api/kyc/check', check)).toMatchObject({ status: 200 });
  // The control: an empty list ends both.
  provider.people.set(login, { groups: [] });
  expect(await logIn(login)).toMatchObject(wrong);
  expect(await dashboard.post('/api/kyc/check', check)).toMatchObject({ status: 401 });
});

test('whoever was removed stays out after the account’s erasure, which keeps neither name nor subject [dashboard.provider-login.shut-out] [dashboard.provider-login.kept]', async () => {
  const account = newWallet();
  const providerLogin = { ...settings(), account: account.address };
  const at = await openDashboardForTest({ otherOrigins: [new URL(consoleOrigin)], providerLogin });
  at.clock.now = new Date();
  let holder = await at.newAccount(account);
  const login = newcomer({ name: 'Mallory Archer', groups: ['it'] });
  const before = await me(await logIn(login, at), at);
  const of = peopleCalls(at);
  expect(await of.remove(holder.token, before.id)).toMatchObject({ status: 200 });
  for (let times = 0; times < 2; times += 1) {
    expect(await erase(at, holder)).toMatchObject({ status: 200 });
    holder = await at.newAccount(account);
  }
  expect(foundIn(await everythingKept(urlOf(at)), [login, 'Mallory Archer'])).toEqual([]);
  expect(await logIn(login, at)).toMatchObject({ ...wrong, msg: expect.stringContaining('removed you') });
  const ask = (method: string, path: string) => at.request(method, path, { token: holder.token });
  const [out] = (await ask('GET', '/api/people/shut-out')).data.data;
  expect(out.name).toBe('Somebody who was erased');
  expect(await ask('DELETE', `/api/people/shut-out/${out.id}`)).toMatchObject({ status: 200 });
  const after = await me(await logIn(login, at), at);
  expect([after.name, after.id === before.id]).toEqual(['Mallory Archer', false]);
});

test('nobody is called like somebody of the provider’s who left and may come back [dashboard.provider-login.name]', async () => {
  const login = newcomer({ name: 'Joan Clarke', groups: ['it'] });
  const { id } = await me(await logIn(login));
  provider.people.set(login, { groups: [] });
  expect(await logIn(login)).toMatchObject(wrong);
  const other = await me(await logIn(newcomer({ name: 'joan clarke', groups: ['it'] })));
  expect(other.name).toMatch(/^Person /);
  provider.people.set(login, { groups: ['it'] });
  expect(await me(await logIn(login))).toMatchObject({ id, name: 'Joan Clarke' });
});

test('whoever is removed stays out, whatever their groups, until an owner lets them in again [dashboard.provider-login.shut-out]', async () => {
  const login = newcomer({ name: 'Mallory', groups: ['it'] });
  const reply = await logIn(login);
  const { id } = await me(reply);
  expect(await people.remove(owner.token, id)).toMatchObject({ status: 200 });
  expect(await people.me(reply.data.token)).toMatchObject({ status: 401 });
  expect(await logIn(login)).toMatchObject({ ...wrong, msg: expect.stringContaining('removed you') });
  const shutOut = async (token: string) =>
    (await dashboard.request('GET', '/api/people/shut-out', { token })).data.data;
  const found = (await shutOut(owner.token)).find(({ name }: Json) => name === 'Mallory');
  expect(found).toMatchObject({ issuer: provider.issuer });
  const letIn = (token: string) => dashboard.request('DELETE', `/api/people/shut-out/${found.id}`, { token });
  const admin = await people.newPerson(owner, ['admin']);
  expect(await letIn(admin.token)).toMatchObject(forbidden);
  const stranger = await dashboard.newAccount();
  expect(await letIn(stranger.token)).toMatchObject({ status: 404 });
  expect(await letIn(owner.token)).toMatchObject({ status: 200 });
  expect(await letIn(owner.token)).toMatchObject({ status: 404 });
  expect(await shutOut(stranger.token)).toEqual([]);
  expect(await me(await logIn(login))).toMatchObject({ id, name: 'Mallory', roles: ['admin'] });
});

test('the provider alone gives roles and sign-ins to its people [dashboard.provider-login.roles]', async () => {
  const { id } = await me(await logIn(newcomer({ groups: ['finance'] })));
  expect(await people.changeRoles(owner.token, id, ['owner'])).toMatchObject(forbidden);
  expect(await dashboard.post(`/api/people/${id}/invitation`, {}, owner.token)).toMatchObject(forbidden);
  // Control: of somebody who was invited both are an owner's to change.
  const invited = await people.newPerson(owner, ['approver']);
  expect(await people.changeRoles(owner.token, invited.id, ['auditor'])).toMatchObject({ status: 200 });
});

test('of two first logins of one subject at the same moment one person comes [dashboard.provider-login.subject]', async () => {
  const login = newcomer({ groups: ['finance'] });
  const both = await Promise.all([logIn(login), logIn(login), logIn(login)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  const found = await Promise.all(both.map((each) => me(each)));
  expect(new Set(found.map(({ id }) => id)).size).toBe(1);
});

test('an account whose wallet has never logged in has no people [dashboard.provider-login.account]', async () => {
  const account = newWallet();
  const providerLogin = { ...settings(), account: account.address };
  const empty = await openDashboardForTest({ otherOrigins: [new URL(consoleOrigin)], providerLogin });
  empty.clock.now = new Date();
  const login = newcomer();
  expect(await logIn(login, empty)).toMatchObject({
    ...wrong,
    msg: expect.stringContaining('logs in first'),
  });
  await empty.newAccount(account);
  expect(await logIn(login, empty)).toMatchObject({ status: 200 });
});

test('a dashboard without a provider says so [dashboard.provider-login.account]', async () => {
  const none = await openDashboardForTest({ otherOrigins: [new URL(consoleOrigin)] });
  const { begin, comeBack } = browserAt(none);
  expect((await begin()).reply).toMatchObject({ status: 404, code: 80000011 });
  expect(await comeBack({ state: 'some' }, '')).toMatchObject({ status: 404, code: 80000011 });
});

test('of tokens, codes and cookies nothing is kept; who came in is exported and erased with the account [dashboard.provider-login.kept]', async () => {
  const account = newWallet();
  const providerLogin = { ...settings(), account: account.address };
  const at = await openDashboardForTest({ otherOrigins: [new URL(consoleOrigin)], providerLogin });
  at.clock.now = new Date();
  const holder = await at.newAccount(account);
  const login = newcomer({ name: 'Ada Byron', groups: ['finance'] });
  const { begin, comeBack } = browserAt(at);
  const { url, cookie } = await begin();
  const waiting = await everythingKept(urlOf(at));
  const returned = await logInAtProvider(url, login);
  expect(await comeBack(returned, cookie)).toMatchObject({ status: 200 });
  const kept = await everythingKept(urlOf(at));
  const asked = ['state', 'nonce', 'code_challenge'].map((name) => url.searchParams.get(name) ?? '');
  const secrets = [...asked, returned['code'] ?? '', cookie.split('=')[1] ?? ''];
  for (const each of [waiting, kept]) expect(foundIn(each, secrets)).toEqual([]);
  expect(foundIn(kept, [login])).not.toEqual([]);
  expect((await exportOf(at, holder.token)).data.providerIdentities.records).toMatchObject([
    { issuer: provider.issuer, subject: login, name: 'Ada Byron' },
  ]);
  expect(await erase(at, holder)).toMatchObject({ status: 200 });
  expect(foundIn(await everythingKept(urlOf(at)), [login, 'Ada Byron'])).toEqual([]);
});
