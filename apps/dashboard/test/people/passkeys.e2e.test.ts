import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openDashboard, type TestDashboard } from '../dashboard.ts';
import { newAuthenticator } from './authenticator.ts';
import { aPassword, aUserName, peopleCalls } from './people.ts';

const origin = 'https://console.example.com';
const other = 'https://other.example.com';
let dashboard: TestDashboard;
let people: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  dashboard = await openDashboard({ otherOrigins: [new URL(origin), new URL(other)] });
  people = peopleCalls(dashboard);
});
afterAll(() => dashboard.stop());

const at = (from: string, path: string, body: Json = {}) =>
  dashboard.request('POST', path, { body, headers: { origin: from } });
const offer = async (roles: readonly string[] = ['approver']) =>
  (await people.invite((await dashboard.newAccount()).token, roles)).data.token as string;
const creation = async (token: string, from = origin) =>
  (await at(from, '/api/invitations/passkey', { token })).data.options;
const request = async (from = origin) => (await at(from, '/api/auth/passkey/options')).data.options;
const logIn = (passkey: Json, from = origin) => at(from, '/api/auth/passkey/login', { passkey });
const wrong = { status: 401, code: 80000019 };

/** Somebody with a passkey. */
async function newPerson() {
  const token = await offer();
  const authenticator = newAuthenticator(origin);
  const passkey = authenticator.create(await creation(token));
  const accepted = await at(origin, '/api/invitations/accept', { token, passkey });
  expect(accepted).toMatchObject({ status: 200 });
  return { authenticator, accepted };
}
const personOf = async ({ data }: Json) => (await people.me(data.token)).data.person;

test('whoever accepts with a passkey logs in with it, and is who they were [dashboard.people.passkey]', async () => {
  const { authenticator, accepted } = await newPerson();
  const options = await request();
  expect(options).toMatchObject({ rpId: 'console.example.com', userVerification: 'required' });
  const reply = await logIn(authenticator.get(options));
  expect(reply).toMatchObject({ status: 200 });
  expect(reply.headers.get('set-cookie')).toMatch(/^platform_session=.+; HttpOnly; SameSite=Lax; Secure/);
  expect(await personOf(reply)).toEqual(await personOf(accepted));
});

test('a challenge counts once, for ten minutes, and only if it is ours [dashboard.people.passkey.challenge]', async () => {
  const { authenticator } = await newPerson();
  const passkey = authenticator.get(await request());
  expect(await logIn(passkey)).toMatchObject({ status: 200 });
  expect(await logIn(passkey)).toMatchObject(wrong);
  const late = authenticator.get(await request());
  dashboard.clock.advance(10 * 60_000);
  expect(await logIn(late)).toMatchObject(wrong);
  expect(await logIn(authenticator.get({ challenge: 'AAAA' }))).toMatchObject(wrong);
  const { nonce } = (await dashboard.post('/api/auth/nonce', {})).data;
  expect(await logIn(authenticator.get({ challenge: nonce }))).toMatchObject(wrong);
});

test('a passkey of another origin, another name or without its person is refused [dashboard.people.passkey.place]', async () => {
  const { authenticator } = await newPerson();
  const bends = [
    { origin: 'https://console.example.com.evil.example' },
    { origin: other },
    { rpId: 'example.com' },
    { rpId: 'evil.example' },
    { userVerified: false },
    { userHandle: Buffer.from('per_somebody-else').toString('base64url') },
  ];
  for (const bend of bends)
    expect([bend, await logIn(authenticator.get(await request(), bend))]).toMatchObject([bend, wrong]);
  // Made at one of our origins, shown at another: a browser would not even offer it.
  const elsewhere = authenticator.get(await request(other), { origin: other, rpId: 'other.example.com' });
  expect(await logIn(elsewhere, other)).toMatchObject(wrong);
  for (const from of ['https://evil.example', dashboard.url])
    expect(await at(from, '/api/auth/passkey/options')).toMatchObject({ status: 403, code: 80000004 });
  expect(await logIn(authenticator.get(await request()))).toMatchObject({ status: 200 });
});

test('a new passkey is refused for another origin, name or challenge, and uses no invitation up [dashboard.people.passkey.place]', async () => {
  const token = await offer();
  const accept = (passkey: Json) => at(origin, '/api/invitations/accept', { token, passkey });
  const authenticator = newAuthenticator(origin);
  const options = await creation(token);
  for (const bend of [{ origin: other }, { rpId: 'other.example.com' }, { userVerified: false }])
    expect([bend, await accept(authenticator.create(await creation(token), bend))]).toMatchObject([
      bend,
      wrong,
    ]);
  expect(await accept(authenticator.create({ ...options, challenge: 'AAAA' }))).toMatchObject(wrong);
  expect(await accept(authenticator.create(await creation(token)))).toMatchObject({ status: 200 });
});

test('a counter that goes back or stands still gives a copied key away [dashboard.people.passkey.counter]', async () => {
  const { authenticator } = await newPerson();
  const withCounter = async (counter: number) => logIn(authenticator.get(await request(), { counter }));
  expect(await withCounter(7)).toMatchObject({ status: 200 });
  expect(await withCounter(7)).toMatchObject(wrong);
  expect(await withCounter(3)).toMatchObject(wrong);
  expect(await withCounter(0)).toMatchObject(wrong);
  const both = await Promise.all([withCounter(8), withCounter(8)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
});

test('a passkey opens its own person alone, and a key of no one nothing [dashboard.people.passkey.own]', async () => {
  const [mine, theirs] = [await newPerson(), await newPerson()];
  const [own, foreign] = [mine.authenticator, theirs.authenticator];
  const signedByMe = own.get(await request());
  const foreignId = foreign.get(await request());
  const forged = { ...signedByMe, id: foreignId.id, rawId: foreignId.rawId };
  expect(await logIn(forged)).toMatchObject(wrong);
  expect(await logIn(newAuthenticator(origin).get(await request()))).toMatchObject(wrong);
  const token = await offer();
  const taken = own.create(await creation(token));
  expect(await at(origin, '/api/invitations/accept', { token, passkey: taken })).toMatchObject({
    status: 409,
  });
});

test('both ways of signing in can be chosen at once [dashboard.people.accept]', async () => {
  const token = await offer();
  const authenticator = newAuthenticator(origin);
  const password = { userName: aUserName(), password: aPassword() };
  const body = { token, passkey: authenticator.create(await creation(token)), password };
  const accepted = await at(origin, '/api/invitations/accept', body);
  const ways = [
    await people.logIn(password.userName, password.password),
    await logIn(authenticator.get(await request())),
  ];
  for (const reply of ways) expect(await personOf(reply)).toEqual(await personOf(accepted));
});

test('bytes that are no passkey are refused, whatever they are [dashboard.people.passkey.place]', async () => {
  const shown = (response: Json) => ({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response });
  const rubbish = { clientDataJSON: 'AAAA', authenticatorData: 'AA', signature: '' };
  expect(await logIn(shown(rubbish))).toMatchObject(wrong);
  expect(await logIn(shown({ ...rubbish, clientDataJSON: '<script>' }))).toMatchObject({ status: 400 });
  const token = await offer();
  const made = shown({ clientDataJSON: 'AAAA', attestationObject: 'oA' });
  expect(await at(origin, '/api/invitations/accept', { token, passkey: made })).toMatchObject(wrong);
});
