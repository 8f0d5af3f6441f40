import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportFor } from '../../test/attestation-report.ts';
import { endedRecord, receipt } from '../../test/execution-receipt.ts';
import { append, exported, OpenLogs, signer } from '../../test/open-logs.ts';
import { newSigner } from '../../test/sample-records.ts';
import { signBundle } from '../proof-bundle.ts';
import { signReceipt } from '../receipt.ts';
import type { AuditLog } from '../store/audit-log.ts';
import { verifyBundle } from './bundle.ts';
import { verifyExport } from './export.ts';
import { type Report, verdictOf } from './report.ts';

let logs: OpenLogs;
beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

function bundled(log: AuditLog, ids: readonly string[], by = signer): string {
  const proven = log.proven('tnt_a', ids) ?? [];
  const records = proven.map(({ record, inclusion }) => ({
    record,
    inclusion: inclusion.map((hash) => hash.toString('hex')),
  }));
  const checkpoint = log.checkpoint();
  const attestation = reportFor(by);
  const format = 'countersign-proof-bundle-v1' as const;
  return signBundle({ format, records, checkpoint, anchor: null, attestation }, by);
}

async function* linesOf(lines: readonly string[]) {
  yield* lines;
}

/** What both ways of giving records away are found to be. */
async function checked(log: AuditLog, ids: readonly string[]): Promise<readonly Report[]> {
  const lines = await exported(log, 'tnt_a', reportFor(signer));
  return [verifyBundle(bundled(log, ids), []), await verifyExport(() => linesOf(lines), [])];
}

test('receipts of executions are checked against their records, in bundles and in exports [control-plane.audit.receipt.verify] [control-plane.audit.proof-bundle.verify]', async () => {
  const log = await logs.open();
  const ids = [await append(log), await append(log, endedRecord(signer))].map(({ auditId }) => auditId);
  for (const report of await checked(log, ids)) {
    expect(verdictOf(report)).toBe('simulated');
    expect(report.steps.map(({ what }) => what)).toContain(
      'receipts of executions, 1 of them: each is signed by the log, and as its record says',
    );
  }
});

const signed = (about: Partial<typeof receipt>, by = signer) => {
  const { signature, receipt: own } = signReceipt({ ...receipt, ...about }, by);
  return { signature, receipt: own };
};
const { signature } = signed({});
test.each([
  ['the receipt is missing', { execution_receipt: undefined }],
  ['cannot be read', { execution_receipt: { receipt, signature, more: 1 } }],
  ['cannot be read', { execution_receipt: 'a text' }],
  [
    'the receipt and the record disagree',
    { execution_receipt: { receipt: { ...receipt, action: 'paz' }, signature } },
  ],
  ['it was changed', { execution_receipt: { receipt: { ...receipt, agent: 'agenu' }, signature } }],
  ['it was changed', { execution_receipt: signed({}, newSigner()) }],
  ['the receipt and the record disagree', { execution_receipt: signed({ status: 'failed' }) }],
  ['the receipt and the record disagree', { execution_receipt: signed({ tenant: 'tnt_b' }) }],
  ['the receipt and the record disagree', { params_hash: receipt.policy_digest }],
  ['the receipt and the record disagree', { execution_id: 'other' }],
  ['the receipt and the record disagree', { tee_mrenclave: undefined }],
  ['the receipt and the record disagree', { hitl_proof: [] }],
])('a record whose receipt is not so is found, though the log signed it: %s %#', async (problem, about) => {
  const log = await logs.open();
  const detail = JSON.parse(JSON.stringify(endedRecord(signer, about).detail)) as Record<string, unknown>;
  const { auditId } = await append(log, { eventType: 'execution_ended', detail });
  for (const report of await checked(log, [auditId])) {
    expect(verdictOf(report)).toBe('bad');
    expect(report.steps.map(({ what }) => what).join()).toContain(problem);
  }
});

test('records from before a change of keys bring those that tell of it', async () => {
  const first = await logs.open();
  await append(first, { tenantId: 'tnt_b' });
  const { auditId } = await append(first, endedRecord(signer));
  await first.close();
  const second = newSigner();
  const next = await logs.open({ signer: second, previousSigner: signer });
  const later = await append(next, endedRecord(second));
  await append(next, { tenantId: 'tnt_c' });

  for (const ids of [[auditId], [auditId, later.auditId, auditId], [later.auditId]]) {
    const text = bundled(next, ids, second);
    expect(verdictOf(verifyBundle(text, []))).toBe('simulated');
    expect(verdictOf(verifyBundle(text, [second.publicKey]))).toBe('simulated');
  }
  expect(verdictOf(verifyBundle(bundled(next, [auditId], second), [signer.publicKey]))).toBe('simulated');
  expect(next.proven('tnt_a', [auditId])?.map(({ record }) => record.eventType)).toEqual([
    'execution_ended',
    'signer_rotated',
  ]);
  expect(next.proven('tnt_b', [auditId])).toBeNull();
});
