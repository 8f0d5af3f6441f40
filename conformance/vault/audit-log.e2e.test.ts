import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditVerify } from '../fixtures/audit-verify.ts';
import { pace } from '../fixtures/pace.ts';
import { expectAlike, isPythonWanted } from './independent/both.ts';
import { type Json, refused, startVault, type TestVault } from './fixtures/vault.ts';

let vault: TestVault;
let token: string;
/** What three decryptions answered, of two credentials and one agent. */
let opened: readonly Json[];
/** Records of that they were kept, newest first. */
let kept: readonly string[];
let credential: Json;
beforeAll(async () => {
  vault = await startVault({ ANCHOR_INTERVAL_SECONDS: '1' });
  token = await vault.tokenOf(vault.admin);
  credential = await vault.newCredential(token, { plaintext_data: { key: 'key-in-no-record' } });
  const other = await vault.newCredential(token);
  kept = idsOf((await get('/api/v1/audit/logs')).data);
  const agent = await vault.newToken(token, ['credential:decrypt'], { agent_did: 'did:key:z6MkAgent' });
  const decrypt = async (id: string, bearer: string) =>
    (
      await vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, {
        token: bearer,
        body: { reason: 'test' },
      })
    ).data;
  opened = [
    await decrypt(credential.id, token),
    await decrypt(other.id, token),
    await decrypt(credential.id, agent),
  ];
});
afterAll(() => vault?.stop());

const get = (path: string, bearer = token) => vault.ask('GET', path, { token: bearer });
const idsOf = (data: Json) => data.items.map(({ auditId }: Json) => auditId);
const auditIds = () => opened.map(({ audit_id }) => audit_id);

test('the query answers a page, newest first, and counts [vault.audit.query] [vault.audit.query.limit] [vault.audit.record.no-plaintext]', async () => {
  const all = await get('/api/v1/audit/logs');
  expect(all).toMatchObject({ status: 200, data: { total: 5, limit: 50, offset: 0 } });
  expect(idsOf(all.data)).toEqual([...auditIds().toReversed(), ...kept]);
  expect(all.text).not.toContain('key-in-no-record');
  const page = await get('/api/v1/audit/logs?limit=1&offset=1');
  expect(page.data).toEqual({ items: [all.data.items[1]], total: 5, limit: 1, offset: 1 });
  for (const wrong of ['limit=0', 'limit=x', 'offset=-1', 'from=yesterday'])
    expect(await get(`/api/v1/audit/logs?${wrong}`)).toMatchObject(refused(400, 'invalid_request'));
});

test('filters select [vault.audit.query.filters] [vault.audit.query.dates]', async () => {
  const [first, second, third] = auditIds();
  const found = async (query: string) => idsOf((await get(`/api/v1/audit/logs?${query}`)).data);
  expect(await found(`credentialId=${credential.id}`)).toEqual([third, first, kept[1]]);
  expect(await found('agentDid=did:key:z6MkAgent')).toEqual([third]);
  expect(await found('sessionId=none')).toEqual([]);
  const { at } = (await get('/api/v1/audit/logs?limit=1&offset=1')).data.items[0];
  expect(await found(`from=${at}&to=${at}`)).toContain(second);
  expect(await found(`from=${at.slice(0, 10)}&to=${at.slice(0, 10)}`)).toEqual([
    third,
    second,
    first,
    ...kept,
  ]);
  expect(await found('from=2099-01-01T00:00:00%2B01:00')).toEqual([]);
  expect(await found('to=2020-01-01')).toEqual([]);
});

test('an untouched record verifies in all three ways [vault.audit.verify]', async () => {
  const [auditId] = auditIds();
  const verified = await vault.ask('POST', `/api/v1/audit/logs/${auditId}/verify`, { token });
  expect(verified).toMatchObject({ status: 200 });
  expect(verified.data).toEqual({
    auditId,
    signatureValid: true,
    chainHashValid: true,
    merklePathValid: true,
  });
  expect(await vault.ask('POST', '/api/v1/audit/logs/none/verify', { token })).toMatchObject(
    refused(404, 'not_found'),
  );
});

const verifyFile = (name: string, text: string, ...more: readonly string[]) =>
  auditVerify(join(vault.dir, name), text, '--json', ...more);

const isSimulatedButGood = 3;

test('export, proof and checkpoint are files that an auditor checks offline; a changed byte is found [vault.audit.export] [vault.audit.export.last-line] [vault.audit.proof] [vault.audit.checkpoint] [vault.audit.export.dropped-newest]', async () => {
  const exported = await get('/api/v1/audit/export');
  expect(exported.headers.get('content-type')).toBe('application/jsonl');
  const lines = exported.text.trimEnd().split('\n');
  expect(lines.slice(0, -1).map((line) => JSON.parse(line).auditId)).toEqual([
    ...kept.toReversed(),
    ...auditIds(),
  ]);
  const last = JSON.parse(lines.at(-1) ?? '');
  expect(Object.keys(last)).toEqual(['checkpoint', 'tenantHead', 'attestation', 'inclusion', 'anchor']);
  expect(Object.keys(last.tenantHead).sort()).toEqual(['at', 'chainHash', 'seq', 'signature', 'tenantId']);
  expect(await verifyFile('export.jsonl', exported.text)).toMatchObject({ status: isSimulatedButGood });
  expect(await verifyFile('changed.jsonl', exported.text.replace('"test"', '"tess"'))).toMatchObject({
    status: 1,
  });
  const withoutNewest = [...lines.slice(0, -2), lines.at(-1)].join('\n');
  expect(await verifyFile('dropped.jsonl', `${withoutNewest}\n`)).toMatchObject({ status: 1 });

  const [auditId] = auditIds();
  const proof = await get(`/api/v1/audit/logs/${auditId}/proof`);
  expect(proof.headers.get('content-type')).toMatch(/^text\/plain/);
  const { auditPublicKey } = (await vault.ask('GET', '/api/v1/attestation/report')).data;
  expect(await verifyFile('proof', proof.text, '--key', auditPublicKey)).toMatchObject({
    status: isSimulatedButGood,
  });
  expect(await get('/api/v1/audit/logs/none/proof')).toMatchObject(refused(404, 'not_found'));

  const checkpoint = (await get('/api/v1/audit/checkpoint')).text;
  expect(checkpoint).toMatch(/^[^\n]+\n5\n[\w+/]{43}=\n\n— /);
});

test.runIf(isPythonWanted)(
  'the verifier in Python reads what this vault gives over its API, good and tampered, as ours does [vault.audit.independent-verifier.real-files]',
  async () => {
    const { auditPublicKey } = (await vault.ask('GET', '/api/v1/attestation/report')).data;
    const exported = await get('/api/v1/audit/export');
    const proof = await get(`/api/v1/audit/logs/${auditIds()[0]}/proof`);
    for (const { text } of [exported, proof]) await expectAlike(text, auditPublicKey, 'simulated');
  },
);

test('one size of the tree is shown to be the beginning of another [vault.audit.consistency]', async () => {
  const proof = await get('/api/v1/audit/consistency?from=1&to=3');
  expect(proof).toMatchObject({ status: 200, data: { from: 1, to: 3 } });
  expect(proof.data.hashes.length).toBeGreaterThan(0);
  for (const wrong of ['from=3&to=1', 'from=1&to=99', 'from=0&to=1', 'from=1'])
    expect(await get(`/api/v1/audit/consistency?${wrong}`)).toMatchObject(refused(400, 'invalid_request'));
});

test('the newest root gets on chain by itself, where the export is found again [vault.anchor.interval]', async () => {
  const nextTime = pace();
  for (;;) {
    const { anchor } = (await vault.ask('GET', '/ready')).data;
    if (anchor.state === 'anchored' && anchor.size === 5) break;
    expect(['starting', 'standby', 'anchored']).toContain(anchor.state);
    await nextTime();
  }
  const { text } = await get('/api/v1/audit/export');
  const { rpcUrl, anchorAddress } = vault.card;
  const onChain = ['--rpc', String(rpcUrl), '--anchor', String(anchorAddress)];
  expect(await verifyFile('anchored.jsonl', text, ...onChain)).toMatchObject({ status: isSimulatedButGood });
});

/** Changes what the enclave has on disk, without a change of length. */
function tamper(from: string, to: string): void {
  const segments = join(vault.dir, 'enclave', 'audit', 'segments');
  const path = join(segments, readdirSync(segments)[0] ?? '');
  const at = readFileSync(path).indexOf(from);
  expect(at).toBeGreaterThan(0);
  const file = openSync(path, 'r+');
  writeSync(file, to, at);
  closeSync(file);
}

// The last one: nothing of this log is good afterwards.
test('what was changed on the disk is found, in that record and in every later one [vault.audit.verify.from-storage] [vault.audit.verify.signature]', async () => {
  const verified = async () => {
    const asked = auditIds().map((id) => vault.ask('POST', `/api/v1/audit/logs/${id}/verify`, { token }));
    const replies = await Promise.all(asked);
    return replies.map(({ data: { signatureValid, chainHashValid, merklePathValid } }) =>
      [signatureValid, chainHashValid, merklePathValid].map((valid) => (valid ? '+' : '-')).join(''),
    );
  };
  const records = (await get('/api/v1/audit/logs')).data.items;
  const { signature } = records.find(({ auditId }: Json) => auditId === auditIds()[0]);
  tamper(signature, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`);
  expect(await verified()).toEqual(['-+-', '+++', '+++']);
  tamper('"reason":"test"', '"reason":"none"');
  expect(await verified()).toEqual(['---', '+-+', '+-+']);
});
