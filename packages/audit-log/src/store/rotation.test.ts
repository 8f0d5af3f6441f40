import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { append, exported, OpenLogs, origin, signer } from '../../test/open-logs.ts';
import { reportFor } from '../../test/attestation-report.ts';
import { newSigner } from '../../test/sample-records.ts';
import { readRecord } from '../chain-check.ts';
import { logIdOf } from '../checkpoint.ts';
import { publicKeyText, type Signer } from '../keys.ts';
import { rotationOf } from '../rotation.ts';
import { verifyExport } from '../verify/export.ts';
import { verdictOf } from '../verify/report.ts';
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

async function verdictOfLines(lines: readonly string[], { publicKey }: Signer): Promise<string> {
  const each = async function* () {
    yield* lines;
  };
  return verdictOf(await verifyExport(each, [publicKey]));
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

  test('signs from one record to the next of an open log, whatever is written meanwhile, and no record is lost [vault.audit.store.rotation-open]', async () => {
    const log = await logs.open();
    await append(log, { tenantId: 'tnt_b' });
    const noteBefore = log.checkpoint();
    const [appended, rotated] = await Promise.all([
      Promise.all(Array.from({ length: 600 }, () => append(log))),
      Promise.resolve().then(() => log.rotate(second)),
      Promise.all(Array.from({ length: 30 }, (_, i) => append(log, { tenantId: `tnt_${i}` }))),
    ]);
    expect(rotated).toEqual({ ok: true, value: null });
    expect(log.signer).toBe(second);
    await append(log, { tenantId: 'tnt_late' });
    expect(await log.rotate(third)).toEqual({ ok: true, value: null });
    expect(log.checkpoint()).not.toBe(noteBefore);
    expect(new Set(appended.map(({ leafIndex }) => leafIndex)).size).toBe(600);
    for (const tenantId of ['tnt_b', 'tnt_7', 'tnt_late']) await verifyAll(log, tenantId);
    for (const lines of [await exported(log, 'tnt_a', reportFor(third)), await exported(log, 'tnt_late')])
      for (const trusted of [second, third]) expect(await verdictOfLines(lines, trusted)).toBe('simulated');
    expect(await verdictOfLines(await exported(log, 'tnt_a', reportFor(third)), signer)).toBe('simulated');
    await log.close();

    const again = await logs.open({ signer: third });
    await verifyAll(again, 'tnt_b');
  });

  test('that cannot be written leaves the one before, which signs on', async () => {
    const log = await logs.open();
    await append(log);
    const broken: Signer = {
      publicKey: second.publicKey,
      sign: () => {
        throw new Error('the key cannot be used');
      },
    };
    expect(await log.rotate(broken)).toMatchObject({ ok: false, error: { code: 'AUDIT_UNAVAILABLE' } });
    await append(log);
    expect(log.head.size).toBe(2);
    await verifyAll(log, 'tnt_a');
  });

  test('is told in whatever is proven: whoever trusts one key of the log can trust the others', async () => {
    const log = await logs.open();
    const { auditId: early } = await append(log);
    await log.rotate(second);
    const { auditId: late } = await append(log);
    for (const id of [early, late])
      expect(log.proven('tnt_a', [id])?.map(({ record }) => record.eventType)).toContain('signer_rotated');
    const newcomer = await append(log, { tenantId: 'tnt_new' });
    expect(log.proven('tnt_new', [newcomer.auditId])).toHaveLength(1);
  });

  test('of a log without records needs no record', async () => {
    await (await logs.open()).close();
    const log = await logs.open({ signer: second, previousSigner: signer });
    expect(log.head.size).toBe(0);
    await log.close();
    expect((await logs.open({ signer: second })).head.size).toBe(0);
  });
});
