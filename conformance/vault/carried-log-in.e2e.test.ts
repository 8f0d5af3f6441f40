import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserSession, type Operation } from './fixtures/browser-session.ts';
import { loginsInAddresses, type LoginSite, ways } from './fixtures/sites/logins-in-addresses.ts';
import { joinVault, type TestVault } from './fixtures/vault.ts';

const key = `Qw7x${randomBytes(9).toString('hex')}Zk`;
const password = `Tr7${randomBytes(8).toString('base64url')}`;

let vault: TestVault;
let owner: string;
/** Holds no more than the use of the log-in. */
let agent: string;
let site: LoginSite;
let login: string;

beforeAll(async () => {
  vault = await joinVault();
  owner = await vault.tokenOf(vault.admin);
  site = await loginsInAddresses({ password, key });
  const make = async (more: object) =>
    String((await vault.newCredential(owner, { allowed_urls: [site.origin], ...more })).id);
  login = await make({
    credential_type: 'username_password',
    plaintext_data: { username: 'ada', password },
  });
  await make({ plaintext_data: { key } });
  agent = await vault.newToken(owner, ['credential:use'], { credential_ids: [login] });
});
afterAll(async () => {
  await vault?.stop();
  await site?.stop();
});
beforeEach(() => {
  site.logins.clear();
});

const asked = (credential_ids: readonly string[], start: string) => ({
  allowed_urls: [site.origin],
  credential_ids,
  start_url: site.origin + start,
  task: 'Log in and read the pages',
});
const open = (credential_ids: readonly string[], start = '/') =>
  BrowserSession.open(vault, agent, asked(credential_ids, start));
const go = (path: string): Operation => ({ operation_type: 'navigate', value: site.origin + path });
const script = (value: string): Operation => ({ operation_type: 'execute_script', value });
const extract = (selector: string): Operation => ({ operation_type: 'extract', selector });

async function logIn(session: BrowserSession, user: string, secret: string): Promise<void> {
  await session.do({ operation_type: 'fill', selector: '#username', value: user });
  await session.do({ operation_type: 'fill', selector: '#password', value: secret });
  await session.do({ operation_type: 'click', selector: '#submit' });
  await session.do({ operation_type: 'wait', selector: '#home' });
}
async function signedIn(way: string): Promise<BrowserSession> {
  const session = await open([login], `/${way}`);
  await logIn(session, '{{CREDENTIAL.username}}', '{{CREDENTIAL.password}}');
  return session;
}
const addressOf = async (session: BrowserSession): Promise<string> =>
  String((await session.ask('GET', '')).data.current_url);

/** All that an agent may ask of a session about the addresses of its page. */
async function readEverything(session: BrowserSession): Promise<void> {
  await session.operate(extract('body'));
  for (const format of ['json', 'csv', 'text']) await session.ask('POST', '/export', { format });
  await session.operate(script('return [location.href, document.title, document.documentElement.outerHTML]'));
  await session.operate(
    script(
      `return [...document.querySelectorAll('*')].map((one) => [...one.attributes].map((a) => a.value).join(' '))`,
    ),
  );
  for (const path of ['', '/operations']) await session.ask('GET', path);
}

test.each(ways)(
  'control: a log-in by %s whose password the agent typed is carried to another session by an address',
  async (way) => {
    const session = await open([], `/${way}`);
    await logIn(session, 'ada', password);
    const [id = ''] = site.logins;
    const address = await addressOf(session);
    expect(address).toContain(id);
    const other = await open([]);
    await other.do({ operation_type: 'navigate', value: address });
    expect(await other.do(extract('#home'))).toContain('Welcome');
    await session.close();
    await other.close();
  },
);

test.each(ways)(
  'a log-in by %s with a credential is in no address, text or answer that its agent is given [vault.sandbox.masking.log-in-in-addresses]',
  async (way) => {
    const session = await signedIn(way);
    const [id = ''] = site.logins;
    expect(await addressOf(session)).toMatch(/withheld-[0-9a-f]{12}/);
    await readEverything(session);
    await session.do({ operation_type: 'click', selector: 'a[href*="page"]' });
    await session.do({ operation_type: 'wait', selector: '#page' });
    await readEverything(session);
    await session.operate(go('/nowhere'));
    await session.operate({ operation_type: 'navigate', value: `${await addressOf(session)}#there` });
    const { text } = await vault.ask('GET', '/api/v1/audit/logs?limit=100', { token: owner });
    expect([...session.seen, text].filter((one) => one.includes(id))).toEqual([]);
    await session.close();
  },
);

test.each(ways)(
  'by %s the agent goes on: it follows links, opens addresses as it read them, turns pages [vault.sandbox.masking.log-in-in-addresses]',
  async (way) => {
    const session = await signedIn(way);
    const links = (await session.do(
      script(`return [...document.querySelectorAll('a')].map((link) => link.href)`),
    )) as string[];
    for (const link of links) {
      await session.do({ operation_type: 'navigate', value: link });
      expect([link, await session.do(extract('h1'))]).not.toContain('Log in');
    }
    expect(links).toHaveLength(3);
    await session.do({ operation_type: 'navigate', value: await addressOf(session) });
    expect(await session.do(extract('h1'))).not.toContain('Log in');
    // What is no log-in stands there as it is.
    await session.do({ operation_type: 'navigate', value: links[0] ?? '' });
    expect(await session.do(extract('#page'))).toContain('order 550e8400-e29b-41d4-a716-446655440000');
    await session.close();
  },
);

test('a stand-in is sent nowhere but where it stood: under another name, elsewhere, and from another session [vault.sandbox.masking.stand-in-bound]', async () => {
  const session = await signedIn('jsessionid');
  const [id = ''] = site.logins;
  const standIn = /withheld-\w+/.exec(await addressOf(session))?.[0] ?? '';
  const other = await open([login]);
  site.received.length = 0;
  for (const path of [
    `/comment?text=${standIn}`,
    `/comment;note=${standIn}`,
    `/${standIn}`,
    `/x#sid=${standIn}`,
  ])
    expect((await session.operate(go(path))).data).toMatchObject({
      status: 'failed',
      error: { code: 'not_permitted' },
    });
  expect((await other.operate(go(`/jsessionid/home;jsessionid=${standIn}`))).data).toMatchObject({
    status: 'failed',
    error: { code: 'not_permitted' },
  });
  expect(JSON.stringify(site.received)).not.toContain(id);
  await session.close();
  await other.close();
});

test('a stand-in is sent as no part of another parameter, and to no other site that its address looks like [vault.sandbox.masking.stand-in-bound]', async () => {
  // The session is for both: the same server by another name.
  const other = site.origin.replace('127.0.0.1', 'localhost');
  const session = await BrowserSession.open(vault, agent, {
    ...asked([login], '/token'),
    allowed_urls: [site.origin, other],
  });
  await logIn(session, '{{CREDENTIAL.username}}', '{{CREDENTIAL.password}}');
  const [id = ''] = site.logins;
  const standIn = /withheld-\w+/.exec(await addressOf(session))?.[0] ?? '';
  const inner = `${site.origin}/?token=${standIn}`;
  site.received.length = 0;
  for (const url of [
    `${site.origin}/comment?text=;token=${standIn}`,
    `${site.origin}/comment?text=${inner}`,
    `${site.origin}/find/x;token=${standIn}`,
    `${other}/ ${inner}`,
    `${other}/\\x/${inner}`,
    `${other}/${'a'.repeat(2100)}${inner}`,
  ])
    expect([url, (await session.operate({ operation_type: 'navigate', value: url })).data]).toMatchObject([
      url,
      { error: { code: 'not_permitted', message: expect.stringContaining('stands for a part of a log-in') } },
    ]);
  expect(JSON.stringify(site.received)).not.toContain(id);
  await session.do(go(`/token/page?token=${standIn}`));
  expect(JSON.stringify(site.received)).toContain(id);
  await session.close();
});

test('no session with credentials opens an address with the id of a log-in that the agent chose [vault.sandbox.masking.no-fixed-log-in]', async () => {
  const fixed = randomBytes(16).toString('hex');
  const session = await open([login]);
  const { data } = await session.operate(go(`/jsessionid;jsessionid=${fixed}`));
  expect(data).toMatchObject({ status: 'failed', error: { code: 'not_permitted' } });
  expect(data.error.message).toContain('jsessionid');
  await session.close();
  site.received.length = 0;
  for (const id of [fixed, 'withheld-000000000000']) {
    const started = await vault.ask('POST', '/api/v1/sandbox/sessions', {
      token: agent,
      body: asked([login], `/phpsessid?PHPSESSID=${id}`),
    });
    expect(started).toMatchObject({ status: 400, data: { error: { code: 'invalid_request' } } });
    expect(started.text).toContain('start_url: this address has the id of a log-in');
  }
  expect(site.received).toEqual([]);
  const bare = await open([], `/phpsessid?PHPSESSID=${fixed}`);
  await bare.close();
});

test('an acting script in a session without credentials shows no key of its tenant [vault.sandbox.masking.made-stays]', async () => {
  const session = await open([]);
  await logIn(session, 'ada', password);
  const acts = "document.title = 'x'; return document.querySelector('#key').textContent";
  await session.do(go('/keys'));
  expect(await session.do(script(acts))).not.toContain(key);
  expect(await session.do(extract('#key'))).not.toContain(key);
  await session.close();
});
