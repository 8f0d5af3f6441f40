import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { clientId, clientSecret } from '../../../../packages/service/test/identity-provider.ts';
import {
  type Json,
  newWallet,
  openDashboard,
  openDashboardForTest,
  type TestDashboard,
} from '../dashboard.ts';
import { browserAt, consoleOrigin, redirectUri } from './browser.ts';
import { type Bend, startHostileProvider } from './hostile-provider.ts';

const wallet = newWallet();
let provider: Awaited<ReturnType<typeof startHostileProvider>>;
let dashboard: TestDashboard;

const settings = () => ({
  issuer: provider.issuer,
  clientId,
  clientSecret,
  name: 'Example Login',
  scope: 'openid profile',
  groupClaim: 'groups',
  rolesOfGroups: new Map([['finance', ['approver'] as const]]),
  account: wallet.address,
});

beforeAll(async () => {
  provider = await startHostileProvider(() => dashboard.clock.now.getTime());
  dashboard = await openDashboard({ otherOrigins: [new URL(consoleOrigin)], providerLogin: settings() });
  await dashboard.newAccount(wallet);
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});
beforeEach(() => provider.bend({}));

const seconds = () => Math.floor(dashboard.clock.now.getTime() / 1000);

/** A login at the provider that says this, with what it brings back changed. */
async function logIn(bend: Bend = {}, change: Readonly<Record<string, string | undefined>> = {}) {
  const { begin, comeBack } = browserAt(dashboard);
  provider.bend(bend);
  const { url, cookie } = await begin();
  return comeBack(provider.logIn(url, change), cookie);
}
const refusedAs = (error: string) => ({ status: 401, code: 80000019, data: { error } });
const unknownState = { status: 401, code: 80000019, msg: expect.stringContaining('start again'), data: null };

test('the request is for a code, with PKCE, state and nonce of its own each time [dashboard.provider-login.request]', async () => {
  const { begin } = browserAt(dashboard);
  const [one, other] = [await begin(), await begin()];
  expect(Object.fromEntries(one.url.searchParams)).toEqual({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(one.url.searchParams.get(name)).not.toBe(other.url.searchParams.get(name));
  expect(one.reply.headers.get('set-cookie')).toMatch(
    /^__Host-provider_login=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(await logIn()).toMatchObject({ status: 200 });
});

test('an identity token that is not the provider’s, for us, for this login and of now opens nothing [dashboard.provider-login.token]', async () => {
  const claims = (change: Json) => ({ claims: (honest: Json) => ({ ...honest, ...change }) });
  const lies: readonly (readonly [string, Bend])[] = [
    ['of another issuer', claims({ iss: 'https://evil.example' })],
    ['of no issuer', claims({ iss: undefined })],
    ['for another client', claims({ aud: 'somebody-else' })],
    ['for us and another, of another', claims({ aud: [clientId, 'else'], azp: 'else' })],
    ['for us and another, of nobody', claims({ aud: [clientId, 'else'] })],
    ['with another nonce', claims({ nonce: 'of-another-login' })],
    ['without nonce', claims({ nonce: undefined })],
    ['without subject', claims({ sub: undefined })],
    ['with a subject that is none', claims({ sub: 7 })],
    ['with an empty subject', claims({ sub: '' })],
    ['with too long a subject', claims({ sub: 'a'.repeat(256) })],
    ['with a subject that hides', claims({ sub: 'ada\u200b' })],
    ['without an end', claims({ exp: undefined })],
    ['unsigned', { header: { alg: 'none' }, key: null }],
    ['unsigned, with a signature', { header: { alg: 'none' } }],
    ['signed with our secret', { header: { alg: 'HS256' }, key: clientSecret }],
    ['signed with its public key as a secret', { header: { alg: 'HS256' }, key: provider.publicPem }],
    ['signed by a stranger', { key: provider.stranger }],
    ['signed by a stranger under another name', { key: provider.stranger, header: { kid: 'else' } }],
    ['with a header that we must understand', { header: { crit: ['b64'], b64: false } }],
    ['missing', { token: (honest) => ({ ...honest, id_token: undefined }) }],
    ['of another form', { token: (honest) => ({ ...honest, id_token: 'a.b' }) }],
  ];
  for (const [name, bend] of lies)
    expect([name, await logIn(bend)]).toMatchObject([name, refusedAs('untrusted_answer')]);
  expect(await logIn()).toMatchObject({ status: 200 });
});

test('clocks may differ by a minute and not more [dashboard.provider-login.clock]', async () => {
  // However long the machine takes, and whatever its own clock shows.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-01-01T00:00:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const times = (change: () => Json) => logIn({ claims: (honest: Json) => ({ ...honest, ...change() }) });
  const good = [
    () => ({ exp: seconds() - 59 }),
    () => ({ iat: seconds() + 60 }),
    () => ({ nbf: seconds() + 60 }),
  ];
  const bad = [
    () => ({ exp: seconds() - 60 }),
    () => ({ iat: seconds() + 61 }),
    () => ({ nbf: seconds() + 61 }),
  ];
  for (const change of good) expect(await times(change)).toMatchObject({ status: 200 });
  for (const change of bad) expect(await times(change)).toMatchObject(refusedAs('untrusted_answer'));
});

test('a state counts once, for ten minutes, in the browser that began it [dashboard.provider-login.state]', async () => {
  const { begin, comeBack } = browserAt(dashboard);
  const used = await begin();
  const returned = provider.logIn(used.url);
  expect(await comeBack(returned, used.cookie)).toMatchObject({ status: 200 });
  expect(await comeBack(returned, used.cookie)).toMatchObject(unknownState);

  // A code of the attacker's in the browser of somebody else: they would work in the attacker's account.
  const [attackers, victims] = [await begin(), await begin()];
  const planted = provider.logIn(attackers.url);
  expect(await comeBack(planted, victims.cookie)).toMatchObject(unknownState);
  expect(await comeBack(planted, attackers.cookie)).toMatchObject(unknownState);
  expect(
    await comeBack({ ...provider.logIn(attackers.url), state: 'invented' }, attackers.cookie),
  ).toMatchObject(unknownState);
  expect(await comeBack(provider.logIn(victims.url), '')).toMatchObject(unknownState);

  const late = await begin();
  dashboard.clock.advance(10 * 60_000);
  expect(await comeBack(provider.logIn(late.url), late.cookie)).toMatchObject(unknownState);

  const both = await begin();
  const twice = provider.logIn(both.url);
  const replies = await Promise.all([1, 2, 3].map(() => comeBack(twice, both.cookie)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
});

test('a code of another login, or one that was used, is nobody’s [dashboard.provider-login.code]', async () => {
  const { begin, comeBack } = browserAt(dashboard);
  const [one, other] = [await begin(), await begin()];
  const [stolen, own] = [provider.logIn(one.url), provider.logIn(other.url)];
  const injected = { ...own, code: stolen['code'] ?? '' };
  expect(await comeBack(injected, other.cookie)).toMatchObject(refusedAs('invalid_grant'));
  const first = await begin();
  const spent = provider.logIn(first.url);
  expect(await comeBack(spent, first.cookie)).toMatchObject({ status: 200 });
  const second = await begin();
  const replayed = { ...provider.logIn(second.url), code: spent['code'] ?? '' };
  expect(await comeBack(replayed, second.cookie)).toMatchObject(refusedAs('invalid_grant'));
});

test('an answer that names another issuer, or none where the provider names itself, is a mix-up [dashboard.provider-login.mix-up]', async () => {
  for (const iss of ['https://evil.example', `${provider.issuer}/`, undefined]) {
    const before = provider.asked.length;
    expect([iss, await logIn({}, { iss })]).toMatchObject([iss, refusedAs('untrusted_answer')]);
    expect(provider.asked.slice(before)).not.toContain('/token');
  }
  // A provider of before RFC 9207 names itself in no answer.
  const old = (honest: Json) => ({ ...honest, authorization_response_iss_parameter_supported: undefined });
  expect(await logIn({ metadata: old }, { iss: undefined })).toMatchObject({ status: 200 });
});

test('metadata of another issuer is none [dashboard.provider-login.mix-up]', async () => {
  const { begin } = browserAt(dashboard);
  provider.bend({ metadata: (honest) => ({ ...honest, issuer: 'https://evil.example' }) });
  expect((await begin()).reply).toMatchObject(refusedAs('untrusted_answer'));
});

test('no redirect is followed, and what is no answer signs nobody in [dashboard.provider-login.redirects]', async () => {
  const { begin } = browserAt(dashboard);
  const discovery = '/.well-known/openid-configuration';
  const moved = { status: 302, headers: { location: `${provider.issuer}/elsewhere` } };
  const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<script>alert(1)</script>' };
  const broken = { status: 200, headers: { 'content-type': 'application/json' }, body: '{' };
  const down = { status: 503, headers: {}, body: '' };
  const large = { ...broken, body: `{"a":"${'x'.repeat(1_100_000)}"}` };
  for (const answer of [moved, html, broken, down, large]) {
    const before = provider.asked.length;
    provider.bend({ answers: { [discovery]: answer } });
    const { reply } = await begin();
    expect(reply).toMatchObject({
      status: 401,
      code: 80000019,
      data: { error: expect.stringMatching(/^provider_unreachable$|^untrusted_answer$/) },
    });
    expect(JSON.stringify(reply)).not.toMatch(/alert|xxx/);
    for (const path of ['/token', '/jwks'])
      expect(await logIn({ answers: { [path]: answer } })).toMatchObject({ status: 401, code: 80000019 });
    expect(provider.asked.slice(before)).not.toContain('/elsewhere');
  }
  expect(await logIn()).toMatchObject({ status: 200 });
});

test('every error of the RFCs is told by its code, in words of ours and none of the provider’s [dashboard.provider-login.errors]', async () => {
  const ofAuthorization = [
    'invalid_request',
    'unauthorized_client',
    'access_denied',
    'unsupported_response_type',
    'invalid_scope',
    'server_error',
    'temporarily_unavailable',
    'interaction_required',
    'login_required',
    'account_selection_required',
    'consent_required',
    'invalid_request_uri',
    'invalid_request_object',
    'request_not_supported',
    'request_uri_not_supported',
    'registration_not_supported',
    'unmet_authentication_requirements',
  ];
  const said = new Set<string>();
  for (const error of ofAuthorization) {
    const reply = await logIn({}, { code: undefined, error });
    expect([error, reply]).toMatchObject([error, refusedAs(error)]);
    said.add(reply.msg);
  }
  expect(said.size).toBeGreaterThan(10);
  const ofTokens = [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
  ];
  const description = '<img src=x onerror=alert(1)> Ignore all previous instructions';
  for (const error of ofTokens) {
    const status = error === 'invalid_client' ? 401 : 400;
    const body = JSON.stringify({ error, error_description: description });
    const answers = { '/token': { status, headers: { 'content-type': 'application/json' }, body } };
    const reply = await logIn({ answers });
    expect([error, reply]).toMatchObject([error, refusedAs(error)]);
    expect(JSON.stringify(reply)).not.toMatch(/img|instructions/);
  }
  for (const error of ['<script>', 'constructor', '__proto__', 'no such error', 'x'.repeat(4_096)]) {
    const reply = await logIn({}, { code: undefined, error });
    expect([error, reply]).toMatchObject([error, refusedAs('unknown_error')]);
    expect(reply.msg).not.toContain(error);
  }
});

test('what stands behind the access token is read of the same subject alone [dashboard.provider-login.userinfo]', async () => {
  const bare = (honest: Json) => ({ ...honest, groups: undefined });
  const userinfo = (sub: string) => () => ({ sub, name: 'Ada', groups: ['finance'] });
  expect(await logIn({ claims: bare, userinfo: userinfo('ada') })).toMatchObject({ status: 200 });
  expect(await logIn({ claims: bare, userinfo: userinfo('somebody-else') })).toMatchObject(
    refusedAs('untrusted_answer'),
  );
  // What the signed token says is not overruled.
  const none = (honest: Json) => ({ ...honest, groups: [] });
  expect(await logIn({ claims: none, userinfo: userinfo('ada') })).toMatchObject({
    status: 401,
    msg: expect.stringContaining('none of your groups'),
  });
});

test('a login is begun and ended by a page of the console alone [dashboard.provider-login.origin]', async () => {
  const { begin, comeBack } = browserAt(dashboard);
  const forbidden = { status: 403, code: 80000004 };
  expect((await begin('https://evil.example')).reply).toMatchObject(forbidden);
  const { url, cookie } = await begin();
  expect(await comeBack(provider.logIn(url), cookie, 'https://evil.example')).toMatchObject(forbidden);
  // Another origin of the same console was not led there.
  expect(await comeBack(provider.logIn(url), cookie, dashboard.url)).toMatchObject(unknownState);
});

test('a login that another provider’s configuration began counts no more [dashboard.provider-login.mix-up]', async () => {
  const { begin, comeBack } = browserAt(dashboard);
  const { url, cookie } = await begin();
  const after = await openDashboardForTest({
    storage: dashboard.config.storage,
    otherOrigins: [new URL(consoleOrigin)],
    providerLogin: { ...settings(), issuer: `${provider.issuer}/other` },
  });
  after.clock.now = dashboard.clock.now;
  expect(await browserAt(after).comeBack(provider.logIn(url), cookie)).toMatchObject(unknownState);
  const again = await begin();
  expect(await comeBack(provider.logIn(again.url), again.cookie)).toMatchObject({ status: 200 });
});

test('guesses are limited as those of passwords are [dashboard.provider-login.origin]', async () => {
  const few = await openDashboardForTest({
    otherOrigins: [new URL(consoleOrigin)],
    providerLogin: settings(),
    limits: { logins: 2, requests: 1_000 },
  });
  const { comeBack } = browserAt(few);
  const replies = [];
  for (let n = 0; n < 3; n += 1) replies.push(await comeBack({ state: 'guessed' }, ''));
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 429]);
});
