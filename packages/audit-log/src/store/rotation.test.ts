import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { append, exported, OpenLogs, origin, signer } from '../../test/open-logs.ts';
import { newSigner } from '../../test/sample-records.ts';
import { readRecord } from '../chain-check.ts';
import { logIdOf } from '../checkpoint.ts';
import { publicKeyText } from '../keys.ts';
import { rotationOf } from '../rotation.ts';
import type { AuditLog } from './audit-log.ts';

let logs: OpenLogs;

beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

const allTrue = { signatureValid: true, chainHashValid: true, merklePathValid: true };

async function verifyAll(log: AuditLog, tenantId: string): Promise<void> {
  for (const { auditId } of log.query({ tenantId }, { limit: 99, offset: 0 }).items)
    expect(await log.verify(tenantId, auditId)).toEqual({ auditId, ...allTrue });
}

describe('a new key', () => {
  const second = newSigner();
  const third = newSigner();

  test('is endorsed by the one before in every chain, and old records verify with the old one [vault.audit.store.rotation]', async () => {
    const first = await logs.open();
    await append(first);
    await append(first, { tenantId: 'tnt_b' });
    await first.close();

    const log = await logs.open({ signer: second, previousSigner: signer });
    await append(log);
    for (const tenantId of ['tnt_a', 'tnt_b']) await verifyAll(log, tenantId);
    const records = (await exported(log, 'tnt_a')).slice(0, -1).map((line) => readRecord(line)?.record);
    expect(records.map((record) => record?.eventType)).toEqual([
      'credential_access',
      'signer_rotated',
      'credential_access',
    ]);
    const told = records[1] ? rotationOf(records[1], logIdOf(origin)) : null;
    expect(told && [told.previousKey, told.key].map(publicKeyText)).toEqual(
      [signer, second].map(({ publicKey }) => publicKeyText(publicKey)),
    );
    expect(records[1] && rotationOf(records[1], logIdOf('another.example'))).toBeNull();
  });

  test('stays, also over the next change, and old copies of it are not taken for new ones', async () => {
    const first = await logs.open();
    await append(first);
    await first.close();
    for (let i = 0; i < 2; i += 1) {
      const log = await logs.open({ signer: second, previousSigner: signer });
      await append(log);
      await log.close();
    }
    expect(await logs.tryOpen()).toMatchObject({ ok: false, error: { code: 'AUDIT_SIGNER_UNKNOWN' } });
    const log = await logs.open({ signer: third, previousSigner: second });
    await append(log);
    expect(log.head.size).toBe(6);
    await verifyAll(log, 'tnt_a');
  });

  test('of a log without records needs no record', async () => {
    await (await logs.open()).close();
    const log = await logs.open({ signer: second, previousSigner: signer });
    expect(log.head.size).toBe(0);
    await log.close();
    expect((await logs.open({ signer: second })).head.size).toBe(0);
  });
});
