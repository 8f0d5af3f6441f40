import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copiesInFamily, copiesInMemory, formsOf } from './fixtures/memory.ts';
import { openSealed, newRecipient, sealFor } from './fixtures/sealing.ts';
import { startVault, type TestVault } from './fixtures/vault.ts';

let vault: TestVault;
let token: string;
beforeAll(async () => {
  // A PostgreSQL of its own, whose processes and files are looked through.
  vault = await startVault({ DATABASE_URL: '' });
  token = await vault.tokenOf(vault.admin);
});
afterAll(() => vault?.stop());

const secrets = 1000;
/** As many calls at a time. */
const callers = 16;

/** Runs `work` for each, some at a time. */
async function each<T>(items: readonly T[], work: (item: T, n: number) => Promise<void>): Promise<void> {
  const waiting = [...items.entries()];
  const caller = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/**
 * The processes of this test's system, by their command: those that were told its directory, and their children. The
 * worker may have another vault beside it, which other files share.
 */
function processes(command: RegExp): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const all = lines.flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return args === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const below = (pid: number): typeof all =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  const told = all.filter(
    ({ pid, parent, args }) =>
      parent === process.pid && (args.includes(vault.dir) || environmentOf(pid).includes(vault.dir)),
  );
  return told
    .flatMap((root) => [root, ...below(root.pid)])
    .filter(({ args }) => command.test(args))
    .map(({ pid }) => pid);
}

/** Empty for one that has ended. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

const api = (): number => processes(/countersign\S* vault/).at(0) ?? 0;
const copiesInApi = (text: string): number => copiesInMemory(api(), formsOf(text));
/** Some of PostgreSQL's workers come and go. */
const copiesInDatabase = (text: string): number => copiesInFamily(processes(/postgres/), formsOf(text));

function* filesBelow(dir: string): Generator<string> {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) yield* filesBelow(path);
    else if (stat?.isFile()) yield path;
  }
}
const filesWith = (text: string): readonly string[] => {
  const forms = formsOf(text);
  return [...filesBelow(vault.dir)].filter((path) => {
    const bytes = readFileSync(path);
    return forms.some((form) => bytes.includes(form));
  });
};

test('a thousand sealed secrets are made, opened and deleted, and none was ever in the API, its database, its logs or on disk [vault.enclave.api-holds-no-plaintext] [vault.keys.ciphertext-only]', async () => {
  const mark = `mark-${randomBytes(12).toString('hex')}`;
  const report = await vault.ask('GET', '/api/v1/attestation/report?nonce=00');
  const recipient = await newRecipient();
  const made: { id: string; key: string }[] = [];
  await each(Array.from({ length: secrets }), async (_, n) => {
    const key = `${mark}-${n}-${randomBytes(8).toString('hex')}`;
    const sealed_data = await sealFor(report.data.sealPublicKey, JSON.stringify({ key }));
    const body = { service_id: 'shop', credential_type: 'api_key', sealed_data };
    const created = await vault.ask('POST', '/api/v1/credentials', { token, body });
    expect(created.status).toBe(201);
    made.push({ id: created.data.id, key });
  });
  await each(made, async ({ id, key }) => {
    const body = { reason: 'to read it', recipient_public_key: recipient.publicKey };
    const opened = await vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, { token, body });
    expect(opened.data).not.toHaveProperty('plaintext_data');
    expect(JSON.parse(await openSealed(recipient, opened.data.sealed_data))).toEqual({ key });
  });
  expect(copiesInApi(mark)).toBe(0);
  expect(copiesInDatabase(mark)).toBe(0);
  expect(filesWith(mark)).toEqual([]);
  await each(made, async ({ id }) => {
    await vault.ask('DELETE', `/api/v1/credentials/${id}`, { token });
  });
  expect(copiesInApi(mark)).toBe(0);
  expect(copiesInDatabase(mark)).toBe(0);
  expect(filesWith(mark)).toEqual([]);
});

test('the same look finds a secret on the plain path in the API’s memory; still not in database, logs or on disk [vault.keys.ciphertext-only]', async () => {
  const key = `plain-${randomBytes(12).toString('hex')}`;
  const body = { service_id: 'shop', credential_type: 'api_key', plaintext_data: { key } };
  const { last, answered } = sendAllButLast(JSON.stringify(body));
  // While the request is under way the API has it; what it frees afterwards may be gone at once.
  await expect.poll(() => copiesInApi(key)).toBeGreaterThan(0);
  last();
  const made = await answered;
  expect(made.statusCode).toBe(201);
  const { id } = JSON.parse(await text(made));
  const opened = await vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, {
    token,
    body: { reason: 'to read it' },
  });
  expect(opened.data.plaintext_data).toEqual({ key });
  expect(copiesInDatabase(key)).toBe(0);
  expect(filesWith(key)).toEqual([]);
});

/** Creates a credential by a request whose last character waits. */
function sendAllButLast(body: string) {
  const asked = request(`${vault.url}/api/v1/credentials`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const answered = once(asked, 'response').then(([response]) => response as IncomingMessage);
  asked.write(body.slice(0, -1));
  return { last: () => void asked.end(body.slice(-1)), answered };
}

test('without the enclave the API can open nothing: it has no key of its own [vault.enclave.api-holds-no-key]', async () => {
  const { id } = await vault.newCredential(token);
  // By one command: some end as soon as another has.
  spawnSync('kill', ['-KILL', ...processes(/countersign\S* enclave/).map(String)]);
  await expect.poll(() => processes(/countersign\S* enclave/)).toEqual([]);
  const body = { reason: 'to read it' };
  const refused = await vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, { token, body });
  expect(refused).toMatchObject({ status: 500, data: { error: { code: 'internal_error' } } });
});
