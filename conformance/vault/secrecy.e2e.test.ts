import * as fc from 'fast-check';
import { Client } from 'pg';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSession, type Operation } from './fixtures/browser-session.ts';
import { formsOf } from './fixtures/memory.ts';
import { startEchoSite } from './fixtures/sites/echo.ts';
import { legacyPages, startLegacySite } from './fixtures/sites/legacy.ts';
import { formOf, type Site } from './fixtures/sites/site.ts';
import { joinVault, type TestVault } from './fixtures/vault.ts';

let vault: TestVault;
let token: string;
let site: Site;
let legacySite: Site;
beforeAll(async () => {
  [vault, site, legacySite] = await Promise.all([joinVault(), startEchoSite(), startLegacySite()]);
  token = await vault.tokenOf(vault.admin);
});
afterAll(async () => {
  await vault?.stop();
  await site?.stop();
  await legacySite?.stop();
});

/** Passwords as people and machines make them: at least eight characters, no white space of lines. */
const password = fc
  .oneof(
    fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme-ascii' }),
    fc.string({
      minLength: 8,
      maxLength: 24,
      unit: fc.constantFrom(...Array.from('äöü€密码🔑"\'<>&%+=\\/{}abcXYZ019')),
    }),
    fc.uint8Array({ minLength: 12, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  )
  .filter((text) => new Set(text).size > 5 && text.trim() === text);

/** Beside those in memory: as texts of pages and addresses write it. */
const allFormsOf = (secret: string): readonly Buffer[] => [
  ...formsOf(secret),
  ...[
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Array.from(secret).reverse().join(''),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  ].map((text) => Buffer.from(text)),
];

const found = (texts: readonly (string | Buffer)[], secret: string): readonly string[] => {
  const forms = allFormsOf(secret);
  return texts.flatMap((text) => {
    const bytes = Buffer.from(text);
    const form = forms.find((one) => bytes.includes(one));
    return form === undefined ? [] : [`${form.toString()} in ${bytes.toString().slice(0, 2000)}`];
  });
};

const extract = (selector: string): Operation => ({ operation_type: 'extract', selector });
const script = (value: string): Operation => ({ operation_type: 'execute_script', value });

/** Everything that an agent may ask to see what it must not. Whatever is refused is an answer too. */
async function pry(session: BrowserSession, own: readonly string[]): Promise<void> {
  const ids = ['plain', 'reversed', 'base64', 'hex', 'percent', 'json', 'codes', 'half', 'split', 'cells'];
  for (const id of [...ids, ...own]) await session.operate(extract(`#${id}`));
  await session.operate(extract('body'));
  await session.operate(extract('html'));
  for (const value of [
    'return document.body.innerText',
    'return document.title + location.href',
    'return document.querySelector("#password")?.value ?? document.querySelector("#kept").value',
    'return [...document.querySelectorAll("p")].map((one) => one.textContent)',
    'return Object.fromEntries([...document.querySelectorAll("p")].map((one) => [one.textContent, one.outerHTML]))',
    'throw new Error(document.querySelector("#plain").textContent)',
    'return document.cookie',
    'return localStorage.getItem("text")',
  ])
    await session.operate(script(value));
  for (const format of ['json', 'csv', 'text']) await session.ask('POST', '/export', { format });
  await session.ask('POST', '/export', { format: 'csv', selector: '#cells' });
  for (const path of ['', '/operations']) await session.ask('GET', path);
}

/** One login at the echo, pried into before and after. */
async function signIn(secret: string, fill_mode: 'network' | 'dom'): Promise<BrowserSession> {
  const plaintext_data = { username: 'ada-of-the-echo', password: secret };
  const credential = await vault.newCredential(token, {
    credential_type: 'username_password',
    plaintext_data,
    fill_mode,
    allowed_urls: [site.origin],
  });
  const session = await BrowserSession.open(vault, token, {
    credential_ids: [credential.id],
    allowed_urls: [site.origin],
    start_url: `${site.origin}/`,
  });
  await session.do({ operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' });
  await pry(session, ['copy', 'password']);
  await session.do({ operation_type: 'click', selector: '#sign-in' });
  await session.do({ operation_type: 'wait', selector: '#done' });
  await pry(session, ['welcome', 'again', 'kept']);
  await session.close();
  return session;
}

test.each(['network', 'dom'] as const)(
  'whatever the secret and however the page shows it, no answer holds it; filled in mode %s [vault.sandbox.masking.outputs] [vault.sandbox.masking.no-read-back] [vault.sandbox.secrecy]',
  async (mode) => {
    await fc.assert(
      fc.asyncProperty(password, async (secret) => {
        site.received.length = 0;
        const { seen } = await signIn(secret, mode);
        // It went where it belongs.
        const logins = site.received.filter(({ path }) => path === '/login');
        expect(logins.map(({ body }) => new URLSearchParams(body).get('password'))).toEqual([secret]);
        expect(found(seen, secret)).toEqual([]);
        kept.push(secret);
      }),
      // The page cuts this one within a character.
      { numRuns: 4, endOnFailure: true, examples: [['码%&密🔑Y"&ö+']] },
    );
  },
);
const kept: string[] = [];

test.each(legacyPages)(
  'a page in $charset is read right, and what it shows of a secret is masked, for scripts too [vault.sandbox.charset] [vault.sandbox.read.masked-copy]',
  async ({ charset, text, secret }) => {
    const plaintext_data = { username: 'ada-of-the-past', password: secret };
    const allowed_urls = [legacySite.origin];
    const about = { credential_type: 'username_password', plaintext_data, allowed_urls };
    const credential = await vault.newCredential(token, about);
    const session = await BrowserSession.open(vault, token, {
      credential_ids: [credential.id],
      allowed_urls: [legacySite.origin],
      start_url: `${legacySite.origin}/${charset}`,
    });
    const fill = (selector: string, value: string) =>
      session.do({ operation_type: 'fill', selector, value: `{{CREDENTIAL.${value}}}` });
    const look = script('return [document.title, document.body.innerText.includes("███")]');
    await fill('#password', 'password');
    expect([await session.do(extract('h1')), await session.do(extract('#shown'))]).toEqual([text, '███']);
    expect(await session.do(look)).toEqual([text, true]);
    for (const format of ['json', 'csv', 'text']) await session.ask('POST', '/export', { format });
    await session.do({ operation_type: 'navigate', value: `${legacySite.origin}/${charset}` });
    await fill('#name', 'username');
    await session.do({ operation_type: 'click', selector: '#send' });
    expect(await session.do(extract('h1'))).toBe('sent');
    const [sent] = legacySite.received.splice(0).filter(({ path }) => path === '/sent');
    expect(sent && formOf(sent)).toMatchObject({ username: 'ada-of-the-past' });
    expect(found(session.seen, secret)).toEqual([]);
    await session.close();
  },
);

test('none of them is in an audit record, a table, a log or a file [vault.sandbox.secrecy] [vault.audit.cli.reviews]', async () => {
  expect(kept.length).toBeGreaterThan(3);
  const audit = await vault.ask('GET', '/api/v1/audit/export', { token });
  const texts = [audit.text, ...(await tables()), ...files(vault.dir).map((path) => readFileSync(path))];
  expect(audit.text).toContain('credential_access');
  // What each verdict was made from is in it.
  const { stdout } = vault.run(['audit', 'verify', '-', '--reviews', '--json'], audit.text);
  const { madeAgain, differ } = JSON.parse(stdout).reviews;
  expect({ isMade: madeAgain > 100, differ }).toEqual({ isMade: true, differ: 0 });
  expect(kept.flatMap((secret) => found(texts, secret))).toEqual([]);
});

/** All rows that the vault keeps, as text. */
async function tables(): Promise<readonly string[]> {
  const client = new Client({ connectionString: vault.card.databaseUrl ?? '' });
  await client.connect();
  const names = await client.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema = 'vault'`,
  );
  const rows: string[] = [];
  for (const { name } of names.rows) {
    const all = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    rows.push(...all.rows.map(({ row }) => row));
  }
  await client.end();
  return rows;
}

function files(dir: string): readonly string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return files(path);
    return stat?.isFile() ? [path] : [];
  });
}
