import { generateKeyPairSync } from 'node:crypto';
import { reportDataOf } from '@countersign/audit-log/attestation';
import { seal } from '@countersign/audit-log/chain';
import { readCheckpoint, signCheckpoint } from '@countersign/audit-log/checkpoint';
import { localSigner, publicKeyText } from '@countersign/audit-log/keys';
import { rootFromInclusion } from '@countersign/audit-log/proof';
import { readNote } from '@countersign/audit-log/signed-note';
import { readTlogProof, type TlogProof, tlogProofText } from '@countersign/audit-log/tlog-proof';
import { leafHash } from '@countersign/audit-log/tree-hash';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signIn, type Visit } from './fixtures/console.ts';
import { type Forge, hireForger } from './fixtures/forger.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { signInToVault, startVaultConsole } from './fixtures/vault.ts';

let world: Awaited<ReturnType<typeof startVaultConsole>>;
let forger: Awaited<ReturnType<typeof hireForger>>;
let visit: Visit;
let token = '';
let credential = '';
let user: { username: string; password: string };

beforeAll(async () => {
  world = await startVaultConsole();
  forger = await hireForger(world.card.vaultUrl ?? '');
  world.vaultWire.leadTo(forger.url);
  visit = await world.visit({ wallet: (await world.newOwner()).testWallet });
  visit.page.on('request', (request) => {
    token = request.headers()['authorization']?.replace('Bearer ', '') ?? token;
  });
  await signIn(visit);
  await visit.page.goto('/vault/audit');
  user = await world.newUser('ada');
  await signInToVault(visit, user);
  await visit.page.getByText('No records yet').or(visit.page.getByRole('table')).waitFor();
  const plaintext_data = { key: 'k' };
  const body = { service_id: 'shop', credential_type: 'api_key', plaintext_data };
  credential = ((await (await ask('/api/v1/credentials', body)).json()) as { id: string }).id;
  await open('an earlier look');
  await open('first look');
});
afterEach(() => forger.honest());
afterAll(async () => {
  await world.stop();
  await forger.stop();
});

const ask = (path: string, body: object, bearer = token) =>
  fetch(new URL(path, world.card.vaultUrl ?? ''), {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
async function open(reason: string): Promise<void> {
  expect((await ask(`/api/v1/credentials/${credential}/decrypt`, { reason })).status).toBe(200);
}

/** Opens the newest record of a credential that was opened, and has it verified. */
async function verify() {
  const { page } = visit;
  // What was shown before is forgotten with the session.
  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out of the vault' }).click();
  await signInToVault(visit, user);
  await page.getByRole('button', { name: 'Credential decrypted' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Credential decrypted' });
  await sheet.getByRole('button', { name: 'Verify', exact: true }).click();
  return sheet;
}

const proofPath = /^\/api\/v1\/audit\/logs\/[^/]+\/proof$/;
/** Only proofs are forged. */
const forgeProof = (change: (proof: TlogProof) => Partial<TlogProof>): void =>
  forger.forge((path, body) => {
    const proof = proofPath.test(path) ? readTlogProof(body) : null;
    return proof === null ? body : tlogProofText({ ...proof, ...change(proof) });
  });

const keyPair = localSigner(generateKeyPairSync('ed25519').privateKey);
/** 65 bytes, an uncompressed point, as secrets are sealed to. */
const sealPublicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ format: 'der', type: 'spki' })
  .subarray(-65)
  .toString('base64');

/** The report of an enclave that has the forger's keys, as only whoever simulates one can make it. */
const forgeReport: Forge = (path, body) => {
  if (path !== '/api/v1/attestation/report') return body;
  const report = JSON.parse(body) as Attestation;
  const forged = { ...report, auditPublicKey: publicKeyText(keyPair.publicKey), sealPublicKey };
  const reportData = reportDataOf(forged);
  const quote = Buffer.from(report.quote, 'base64').toString('latin1').replace(report.reportData, reportData);
  return JSON.stringify({ ...forged, reportData, quote: Buffer.from(quote, 'latin1').toString('base64') });
};

test('a record is recomputed in the browser against the key that is pinned there, and what only the vault claims says so [vault.console.verify-here]', async () => {
  const { page } = visit;
  const sheet = await verify();
  const checked = sheet.getByRole('region', { name: 'Verified in this browser' });
  await checked.waitFor();
  expect(await checked.getByRole('listitem').allTextContents()).toEqual([
    'Signed by the audit log’s pinned key',
    'Belongs to account default',
    expect.stringMatching(/^The chain is unbroken from your first record to number \d+$/),
    'Included in the tree of a checkpoint',
  ]);
  const claimed = sheet.getByRole('region', { name: 'Reported by the vault, not verified here' });
  await claimed.getByText(/^(On chain since|Not on chain yet)/).waitFor();
  await expectAccessible(page, 'Audit record checked here');
  await page.keyboard.press('Escape');
});

test.each<[string, () => void, string]>([
  [
    'a record in the list',
    () =>
      forger.forge((path, body) =>
        path === '/api/v1/audit/logs' ? body.replaceAll('first look', 'other look') : body,
      ),
    'the record on this page is not the one the vault can prove',
  ],
  [
    'a record in the proof',
    () =>
      forgeProof(({ extra }) => ({ extra: Buffer.from(String(extra).replace('first look', 'other look')) })),
    'something in it was changed',
  ],
  [
    'a place in the tree',
    () => forgeProof(({ path }) => ({ path: path.map((hash) => Buffer.from(hash.map((byte) => byte ^ 1))) })),
    'it is not at that position in the tree of the checkpoint',
  ],
  [
    'a head',
    () =>
      forgeProof(({ checkpoint }) => {
        const head = readCheckpoint(readNote(checkpoint)?.text ?? '');
        const root = head?.root.toString('base64') ?? '';
        return { checkpoint: checkpoint.replace(root, Buffer.alloc(32, 7).toString('base64')) };
      }),
    'the checkpoint is not signed by the key you gave',
  ],
  [
    'a chain',
    () =>
      forger.forge((path, body) =>
        path === '/api/v1/audit/export' ? body.split('\n').slice(1).join('\n') : body,
      ),
    'does not follow from the one before it',
  ],
  [
    'all of it, under a key of the forger’s own',
    () =>
      forgeProof(({ extra, index, path, checkpoint }) => {
        const { chainHash: _, signature: __, ...record } = JSON.parse(String(extra)) as AuditRecord;
        const { text } = seal({ ...record, detail: { reason: 'never' } }, keyPair);
        const head = readCheckpoint(readNote(checkpoint)?.text ?? '');
        if (head === null) throw new Error('no head');
        const root = Buffer.from(rootFromInclusion(leafHash(text), index, head.size, path) ?? []);
        return { extra: Buffer.from(text), checkpoint: signCheckpoint({ ...head, root }, keyPair) };
      }),
    'it is signed by a different key than the one you gave',
  ],
])('an answer that forges %s is found [vault.console.verify-here.forged]', async (_, begin, says) => {
  const { page } = visit;
  begin();
  const sheet = await verify();
  const found = sheet
    .getByRole('alert')
    .filter({ hasText: 'Verification failed. Do not trust this record.' });
  await found.getByText(says).first().waitFor();
  expect(await sheet.getByRole('region', { name: 'Verified in this browser' }).count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('a log that goes back behind what this browser has seen is found, though its key signed it [vault.console.verify-here.forged]', async () => {
  const { page } = visit;
  let old = '';
  forger.forge((path, body) => {
    if (proofPath.test(path) && old === '') old = body;
    return body;
  });
  await (await verify()).getByRole('region', { name: 'Verified in this browser' }).waitFor();
  await page.keyboard.press('Escape');
  await open('second look');
  await (await verify()).getByRole('region', { name: 'Verified in this browser' }).waitFor();
  await page.keyboard.press('Escape');
  // The older record with the proof of back then, as if the second look had not been.
  forger.forge((path, body) => {
    if (proofPath.test(path)) return old;
    if (path !== '/api/v1/audit/logs') return body;
    const { items, ...list } = JSON.parse(body) as { items: AuditRecord[] };
    return JSON.stringify({
      ...list,
      items: items.filter(({ detail }) => detail['reason'] !== 'second look'),
    });
  });
  const sheet = await verify();
  await sheet.getByText('the log is shorter than this browser has seen it before').waitFor();
  await page.keyboard.press('Escape');
});

test('another account’s list is not taken for one’s own, though the log signed all of it [vault.console.verify-here.account]', async () => {
  const { page } = visit;
  const own = await verify();
  await own
    .getByRole('region', { name: 'Verified in this browser' })
    .getByText('Belongs to account default')
    .waitFor();
  await page.keyboard.press('Escape');
  const eve = await world.newUser('eve', '--tenant', 'eves');
  const tokens = (await (await ask('/api/v1/auth/login', eve)).json()) as { access_token: string };
  const plaintext_data = { key: 'k' };
  const body = { service_id: 'shop', credential_type: 'api_key', plaintext_data };
  const { id } = (await (await ask('/api/v1/credentials', body, tokens.access_token)).json()) as {
    id: string;
  };
  await ask(`/api/v1/credentials/${id}/decrypt`, { reason: 'eve’s' }, tokens.access_token);
  forger.askWith(tokens.access_token);
  const sheet = await verify();
  const found = sheet
    .getByRole('alert')
    .filter({ hasText: 'Verification failed. Do not trust this record.' });
  await found.getByText('it belongs to account eves; this browser has seen you as default').waitFor();
  await page.keyboard.press('Escape');
});

test('a secret is sealed for nobody but the enclave whose key is pinned here [vault.console.pinned-key.seal]', async () => {
  const { page } = visit;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/v1/credentials')
      sent.push(request.url());
  });
  await page.getByRole('link', { name: 'Credentials', exact: true }).click();
  await page.getByRole('button', { name: 'New credential' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New credential' });
  await sheet.getByLabel('Service').fill('shop');
  await sheet.getByLabel('User name').fill('ada');
  await sheet.getByLabel('Password').fill('correct horse battery staple');
  forger.forge(forgeReport);
  await sheet.getByRole('button', { name: 'Seal and save' }).click();
  await sheet
    .getByRole('alert')
    .getByText('The vault’s key differs from the one pinned in this browser')
    .waitFor();
  expect(sent).toEqual([]);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  const loud = page.getByRole('alert').filter({ hasText: 'The vault’s audit log key has changed.' });
  await loud.getByText(publicKeyText(keyPair.publicKey)).waitFor();
  await expectAccessible(page, 'Credentials under a changed key');
  forger.honest();
  await page.getByRole('link', { name: 'Attestation', exact: true }).click();
  await page.getByRole('button', { name: 'Refresh report' }).click();
  await loud.waitFor({ state: 'hidden' });
});

test('the key is pinned at first sight, shown and compared; another one is told loudly until somebody pins it [vault.console.pinned-key]', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'Attestation', exact: true }).click();
  const section = page.getByRole('region', { name: 'Key pinned in this browser' });
  const key = (await section.getByText(/^[A-Za-z0-9+/]{43}=$/).textContent()) ?? '';
  for (const [given, says] of [
    ['nonsense', 'This is not a key'],
    [publicKeyText(keyPair.publicKey), 'The keys differ.'],
    [key, 'The keys match.'],
  ] as const) {
    await section.getByLabel('Compare with a key from another source').fill(given);
    await section.getByRole('button', { name: 'Compare' }).click();
    await section.getByText(says).waitFor();
  }
  await expectAccessible(page, 'Pinned key');

  forger.forge(forgeReport);
  await page.getByRole('button', { name: 'Refresh report' }).click();
  const loud = page.getByRole('alert').filter({ hasText: 'The vault’s audit log key has changed.' });
  await loud.getByText(key).waitFor();
  await loud.getByText(publicKeyText(keyPair.publicKey)).waitFor();
  await expectAccessible(page, 'Changed key');
  const sheet = await verify();
  await sheet.getByText('the vault now reports a different key than the one pinned here').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alert').filter({ hasText: 'has changed' }).waitFor();

  await page.getByRole('button', { name: 'Pin new key' }).click();
  const question = page.getByRole('dialog', { name: 'Pin another key?' });
  await expectAccessible(page, 'Pin another key');
  await question.getByRole('button', { name: 'Pin new key' }).click();
  await loud.waitFor({ state: 'hidden' });
  // The honest vault is now the one whose key has changed.
  forger.honest();
  await page.getByRole('link', { name: 'Attestation', exact: true }).click();
  await page.getByRole('button', { name: 'Refresh report' }).click();
  await loud.waitFor();
  expect(visit.faults).toEqual([]);
});
