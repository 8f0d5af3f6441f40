import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../test/core-on-socket.ts';
import { login, opened, sealed } from '../../test/credentials.ts';
import { EnclaveKeys } from './keys/enclave-keys.ts';
import { openMemory } from './keys/secret-memory.ts';
import { simulatedTee } from './tee/simulated.ts';

const dirs: string[] = [];
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'enclave-'));
  dirs.push(dir);
});
afterAll(() => {
  for (const each of dirs) rmSync(each, { recursive: true, force: true });
});

const tee = () =>
  simulatedTee({ dir, program: fileURLToPath(new URL('../../test/core-on-socket.ts', import.meta.url)) });
const openKeys = () => EnclaveKeys.open(dir, tee(), openMemory);

async function keyOf({ client }: RunningCore): Promise<string> {
  const described = await client.call('describe', {});
  return described.ok ? described.value.reply.auditPublicKey : '';
}

/** One record, and then what `then` does; gives the key that signed it. */
async function withRecord(then: (core: RunningCore) => Promise<unknown>): Promise<string> {
  const core = await startOnSocket({ dir });
  expect(await opened(core.client, await sealed(core.client))).toBe(login.toString());
  const key = await keyOf(core);
  await then(core);
  await core.stop();
  return key;
}

/** What a start on the directory finds: the key that signs, the changes of keys in the chain, and whether all verifies. */
async function found() {
  const core = await startOnSocket({ dir });
  const chain = await core.client.call('audit.chain', { tenantId: 'acme', fromSeq: 1, limit: 100 });
  const records = chain.ok ? chain.value.reply.items : [];
  for (const { auditId } of records)
    expect(await core.client.call('audit.verify', { tenantId: 'acme', auditId })).toMatchObject({
      value: { reply: { signatureValid: true, chainHashValid: true, merklePathValid: true } },
    });
  const key = await keyOf(core);
  await core.stop();
  const isForgotten = (await openKeys()).auditSeedBefore === null;
  return {
    key,
    changes: records.filter(({ eventType }) => eventType === 'signer_rotated').length,
    isForgotten,
  };
}

test('a change of the log’s key that ended before the log went over is ended by the next start, once [vault.keys.rotate-audit-key.crash]', async () => {
  const before = await withRecord(async () => {});
  await (await openKeys()).beginAuditSeed();
  const first = await found();
  expect(first).toMatchObject({ changes: 1, isForgotten: true });
  expect(first.key).not.toBe(before);
  expect(await found()).toEqual(first);
});

test('one that ended before the new key had its own checkpoint is, too [vault.keys.rotate-audit-key.crash]', async () => {
  const [own, aside] = [join(dir, 'audit', 'checkpoint'), join(dir, 'checkpoint-before')];
  const [keys, keysBoth] = [join(dir, 'keys.json'), join(dir, 'keys-both')];
  await withRecord(async () => {});
  copyFileSync(own, aside);
  await (await openKeys()).beginAuditSeed();
  copyFileSync(keys, keysBoth);
  const whole = await found();
  copyFileSync(aside, own);
  copyFileSync(keysBoth, keys);
  expect(await found()).toEqual(whole);
});

test('asked for twice at once, the key changes twice, one after the other', async () => {
  await withRecord(async ({ client }) => {
    const answers = await Promise.all([client.call('rotateAuditKey', {}), client.call('rotateAuditKey', {})]);
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
  });
  expect(await found()).toMatchObject({ changes: 2, isForgotten: true });
});

test('the report names the key that signs, and is bound to it', async () => {
  await withRecord(async (core) => {
    const rotated = await core.client.call('rotateAuditKey', {});
    const report = await core.client.call('report', { nonce: '00' });
    const key = await keyOf(core);
    expect(rotated).toMatchObject({ value: { reply: { auditPublicKey: key } } });
    expect(report).toMatchObject({ value: { reply: { auditPublicKey: key } } });
  });
});
