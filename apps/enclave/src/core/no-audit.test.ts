import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAuditLog } from '@countersign/audit-log/store/open';
import { afterAll, expect, test } from 'vitest';
import { bindingOf, login } from '../../test/credentials.ts';
import { unsealers } from './credential/hpke.ts';
import { seedSigner } from './keys/seed-signer.ts';
import { EnclaveKeys } from './keys/enclave-keys.ts';
import { openMemory } from './keys/secret-memory.ts';
import { simulatedTee } from './tee/simulated.ts';
import { credentialHandlers } from './credentials.ts';

const dir = mkdtempSync(join(tmpdir(), 'no-audit-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('while the signer is dead nothing is opened, and what was decrypted is gone [vault.audit.durable-first]', async () => {
  const tee = simulatedTee({ dir, program: fileURLToPath(import.meta.url) });
  const keys = await EnclaveKeys.open(dir, tee, openMemory);
  const signer = seedSigner(Buffer.from(keys.auditSeed), openMemory);
  let isDead = false;
  const sign = (bytes: Uint8Array) => {
    if (isDead) throw new Error('the signer does not answer');
    return signer.sign(bytes);
  };
  const opened = await openAuditLog({
    dir: join(dir, 'audit'),
    origin: 'vault.example/audit',
    tee: { kind: 'simulated', trust: 'simulated' },
    signer: { publicKey: signer.publicKey, sign },
    now: Date.now,
  });
  if (!opened.ok) throw new Error(opened.error.code);
  const audit = opened.value;
  const handlers = credentialHandlers({
    keys,
    audit,
    unsealer: await unsealers(keys),
    now: Date.now,
  });
  const gone = new AbortController().signal;
  const binding = bindingOf();
  const sealed = await handlers.seal({ binding, sealed: false }, Buffer.from(login), gone);
  if (!sealed.ok) throw new Error(sealed.error.code);
  const request = { binding, envelope: sealed.value.reply.envelope, actor: 'a', reason: 'r' };

  isDead = true;
  expect(await handlers.open(request, Buffer.alloc(0), gone)).toEqual({
    ok: false,
    error: { code: 'AUDIT_UNAVAILABLE' },
  });
  isDead = false;
  expect(await handlers.open(request, Buffer.alloc(0), gone)).toMatchObject({
    ok: true,
    value: { body: login },
  });
  expect(audit.head.size).toBe(1);
  await audit.close();
});
