import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { countersign } from '../fixtures/countersign.ts';
import { pace } from '../fixtures/pace.ts';
import { type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealedKey } from './fixtures/credentials.ts';
import { Enclaves } from './fixtures/enclave-process.ts';
import { coreOf } from './fixtures/processes.ts';
import { type Json, startVault, type TestVault } from './fixtures/vault.ts';

describe('a vault that runs', () => {
  let vault: TestVault;
  let token: string;
  let processes: OwnedProcesses;
  beforeAll(async () => {
    vault = await startVault({ ANCHOR_INTERVAL_SECONDS: '1' });
    token = await vault.tokenOf(vault.admin);
    processes = await ownedProcesses();
  });
  afterAll(async () => {
    await processes?.stopAll();
    await vault?.stop();
  });

  const report = async (): Promise<Json> => (await vault.ask('GET', '/api/v1/attestation/report')).data;
  /** Of `audit verify` on an export: 0 good, 1 bad, 2 incomplete, 3 good but simulated. */
  async function verifiedBy(key: string): Promise<number | null> {
    const file = join(vault.dir, 'export.jsonl');
    writeFileSync(file, (await vault.ask('GET', '/api/v1/audit/export', { token })).text);
    return vault.run(['audit', 'verify', file, '--key', key]).status;
  }
  const untilAnchored = async () => {
    const nextTime = pace();
    for (;;) {
      const { anchor, audit } = (await vault.ask('GET', '/ready')).data;
      if (anchor.state === 'anchored' && anchor.size === audit.size) return;
      await nextTime();
    }
  };
  const decrypt = (id: string) =>
    vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, { token, body: { reason: 'test' } });

  test('has its log signed by a new key, and whoever trusts the old one or the new can check all of it [vault.keys.rotate-audit-key]', async () => {
    const { id } = await vault.newCredential(token);
    const first = (await decrypt(id)).data.audit_id;
    const before = (await report()).auditPublicKey;
    const child = processes.spawn({
      name: 'rotation',
      ...countersign('vault', 'rotate-audit-key'),
      env: vault.environment,
      oneShot: true,
    });
    const exports: string[] = [];
    for (;;) {
      expect(await decrypt(id)).toMatchObject({ status: 200 });
      exports.push((await vault.ask('GET', '/api/v1/audit/export', { token })).text);
      if ((await Promise.race([child.exited, sleep(0, null)])) !== null) break;
    }
    const after = (await report()).auditPublicKey;
    expect(await child.exited).toMatchObject({ code: 0, lastLines: [expect.stringContaining(after)] });
    expect(after).not.toBe(before);

    const last = (await decrypt(id)).data.audit_id;
    for (const auditId of [first, last])
      expect((await vault.ask('POST', `/api/v1/audit/logs/${auditId}/verify`, { token })).data).toMatchObject(
        {
          signatureValid: true,
          chainHashValid: true,
        },
      );
    expect([await verifiedBy(before), await verifiedBy(after)]).toEqual([3, 3]);
    for (const text of exports.slice(-3)) {
      const file = join(vault.dir, 'meanwhile.jsonl');
      writeFileSync(file, text);
      expect(vault.run(['audit', 'verify', file, '--key', before]).status).toBe(3);
    }
    await untilAnchored();
  });

  test('makes tokens under a new key; those made before count until that is revoked [vault.keys.rotate-token-key]', async () => {
    const { data } = await vault.login(vault.admin.username, vault.admin.password);
    const list = async (bearer: string) =>
      (await vault.ask('GET', '/api/v1/credentials', { token: bearer })).status;
    expect(vault.run(['vault', 'rotate-token-key'])).toMatchObject({ status: 0 });
    const young = await vault.tokenOf(vault.admin);
    expect([await list(data.access_token), await list(young)]).toEqual([200, 200]);
    const body = { refresh_token: data.refresh_token };
    expect(await vault.ask('POST', '/api/v1/auth/refresh', { body })).toMatchObject({ status: 200 });

    expect(vault.run(['vault', 'rotate-token-key', '--revoke'])).toMatchObject({ status: 0 });
    const youngest = await vault.tokenOf(vault.admin);
    expect([await list(young), await list(youngest)]).toEqual([401, 200]);
    expect(vault.run(['vault', 'rotate-token-key', '--all'])).toMatchObject({ status: 2 });
  });

  test('names another key to seal to in its report [vault.keys.rotate-seal-key]', async () => {
    const before = (await report()).sealPublicKey;
    const { status, stdout } = vault.run(['vault', 'rotate-seal-key']);
    const after = (await report()).sealPublicKey;
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining(after) });
    expect(after).not.toBe(before);
  });
});

describe('an enclave that is killed while the key of its log changes', () => {
  const enclaves = new Enclaves();
  afterAll(() => enclaves.end());

  test('starts again with the old key or the new, loses nothing it acknowledged, and can be told again [vault.keys.rotate-audit-key.crash]', async () => {
    const dir = enclaves.newDir();
    const keys = new Set<string>();
    let request: Awaited<ReturnType<typeof sealedKey>> | null = null;
    const acknowledged: string[] = [];
    for (const delayMs of [0, 1, 2, 3, 5, 8]) {
      const enclave = await enclaves.start(dir);
      const client = await enclaves.connect(enclave);
      request ??= await sealedKey(client, 'kept');
      const opened = await client.call('open', request);
      acknowledged.push(opened.ok ? opened.value.reply.auditId : '');
      const described = await client.call('describe', {});
      keys.add(described.ok ? described.value.reply.auditPublicKey : '');
      const core = coreOf(enclave);
      const rotating = client.call('rotateAuditKey', {}).catch(() => null);
      await sleep(delayMs);
      process.kill(core, 'SIGKILL');
      await rotating;
      client.close();
      enclave.kill('SIGTERM');
      await enclave.ended;
    }
    const enclave = await enclaves.start(dir);
    const client = await enclaves.connect(enclave);
    const rotated = await client.call('rotateAuditKey', {});
    expect(rotated).toMatchObject({ ok: true });
    const all = await client.call('audit.chain', { tenantId: 'acme', fromSeq: 1, limit: 1000 });
    const items = all.ok ? all.value.reply.items : [];
    const openings = items.filter(({ eventType }) => eventType === 'credential_access');
    expect(openings.map(({ auditId }) => auditId)).toEqual(acknowledged);
    for (const { auditId } of items)
      expect(await client.call('audit.verify', { tenantId: 'acme', auditId })).toMatchObject({
        value: { reply: { signatureValid: true, chainHashValid: true, merklePathValid: true } },
      });
    // Each key was endorsed by the one before it, from the first on.
    const line = items.flatMap(({ eventType, detail }) => (eventType === 'signer_rotated' ? [detail] : []));
    expect(line.map(({ previousKey }) => previousKey).slice(1)).toEqual(
      line.map(({ key }) => key).slice(0, -1),
    );
    expect([...keys].every((key) => line.some(({ previousKey }) => previousKey === key))).toBe(true);
  });
});
