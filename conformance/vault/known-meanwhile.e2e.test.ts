import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSession } from './fixtures/browser-session.ts';
import { startSite, type Site } from './fixtures/sites/site.ts';
import { joinVault, type TestVault } from './fixtures/vault.ts';

const made = () => `Qw7x${randomBytes(9).toString('hex')}Zk`;
const page = (body: string) => `<!doctype html><meta charset=utf-8><title>App</title>${body}`;
const logIn = page(`<h1>Log in</h1><form method=post action=/in>
  <label>User name <input id=username name=username autocomplete=username></label>
  <label>Password <input id=password type=password name=password autocomplete=current-password></label>
  <button id=submit>Log in</button></form>`);

let vault: TestVault;
let token: string;
let site: Site;
/** What the site shows on its page of keys. */
let shown = '';

beforeAll(async () => {
  vault = await joinVault();
  token = await vault.tokenOf(vault.admin);
  const keys = () => page(`<h1>Keys</h1><p id=key>${shown}</p>`);
  site = await startSite({}, { otherwise: ({ path }) => ({ body: path === '/login' ? logIn : keys() }) });
});
afterAll(async () => {
  await vault?.stop();
  await site?.stop();
});

const make = async (more: object = {}) =>
  String((await vault.newCredential(token, { allowed_urls: [site.origin], ...more })).id);
const key = (value: string) => ({ plaintext_data: { key: value } });
const login = (password: string) => ({
  credential_type: 'username_password',
  plaintext_data: { username: 'ada', password },
});
const open = (credential_ids: readonly string[] = []) =>
  BrowserSession.open(vault, token, {
    allowed_urls: [site.origin],
    credential_ids,
    start_url: `${site.origin}/login`,
    task: 'Log in and read the pages',
  });
/** What a session reads of a page that shows a value. */
async function look(session: BrowserSession, value: string): Promise<unknown> {
  shown = value;
  await session.do({ operation_type: 'navigate', value: `${site.origin}/keys` });
  return session.do({ operation_type: 'extract', selector: '#key' });
}
const openings = async (id: string) => {
  const { data } = await vault.ask('GET', `/api/v1/audit/logs?credentialId=${id}`, { token });
  return data.items.filter(
    ({ eventType, detail }: { eventType: string; detail: { reason?: string } }) =>
      eventType === 'credential_access' && detail.reason === 'to be masked in this session',
  );
};

test.each([
  ['a key', key],
  ['a password', login],
])(
  '%s that is kept while a session is open is masked there, and the log tells of that [vault.sandbox.masking.known-meanwhile]',
  async (_, kept) => {
    const session = await open();
    const value = made();
    expect(await look(session, value)).toBe(value);
    const id = await make(kept(value));
    expect(await look(session, value)).toBe('███');
    expect(await openings(id)).toMatchObject([{ sessionId: session.id, credentialId: id }]);
    await session.close();
  },
);

test('a value that replaces another is masked in open sessions, and the one before in later ones too [vault.sandbox.masking.known-meanwhile] [vault.sandbox.masking.replaced]', async () => {
  const [before, after] = [made(), made()];
  const id = await make(key(before));
  const session = await open([id]);
  expect(await look(session, after)).toBe(after);
  const put = await vault.ask('PUT', `/api/v1/credentials/${id}/value`, { token, body: key(after) });
  expect(put.status).toBe(200);
  for (const value of [before, after]) expect(await look(session, value)).toBe('███');
  await session.close();
  const later = await open();
  for (const value of [before, after]) expect(await look(later, value)).toBe('███');
  await later.close();
  // What is deleted is deleted whole.
  expect((await vault.ask('DELETE', `/api/v1/credentials/${id}`, { token })).status).toBe(200);
  const last = await open();
  for (const value of [before, after]) expect(await look(last, value)).toBe(value);
  await last.close();
});

test('a password that a person allows somewhere for the first time is masked in sessions that were open before [vault.sandbox.masking.known-meanwhile]', async () => {
  const value = made();
  const id = await make({ ...login(value), allowed_urls: [] });
  const [before, session] = [await open(), await open([id])];
  expect(await look(before, value)).toBe(value);
  const { data } = await session.operate({
    operation_type: 'fill',
    selector: '#password',
    value: '{{CREDENTIAL.password}}',
  });
  expect(data.status).toBe('pending_approval');
  const decided = await session.ask('POST', `/approvals/${data.operation_id}`, { decision: 'approve' });
  expect(decided.data.status).toBe('executed');
  for (const each of [before, session]) expect(await look(each, value)).toBe('███');
  for (const each of [before, session]) await each.close();
});

test('a password whose addresses are widened is masked in sessions that were open before [vault.sandbox.masking.known-meanwhile]', async () => {
  const value = made();
  const id = await make({ ...login(value), allowed_urls: ['https://elsewhere.example'] });
  const session = await open();
  expect(await look(session, value)).toBe(value);
  const body = { allowed_urls: ['https://elsewhere.example', site.origin] };
  expect((await vault.ask('PATCH', `/api/v1/credentials/${id}`, { token, body })).status).toBe(200);
  expect(await look(session, value)).toBe('███');
  await session.close();
});
