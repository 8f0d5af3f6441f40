import type { AnchorPlace } from '@countersign/audit-log/anchor/ethereum';
import { newestRoot } from '@countersign/audit-log/anchor/newest-root';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import { maxBundled, type NewProofBundle } from '@countersign/protocol/control/audit-routes';
import { ok, type Result } from '@countersign/protocol/result';
import { queryRecords } from '@countersign/service/audit-query';
import type { Logger } from '@countersign/service/logger';
import type { ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { type Refusal, refusal } from '../refusal.ts';
import { auditFilterOf } from './filter.ts';

export type BundleParts = {
  readonly enclave: Enclave;
  /** Null where the log's roots are on no chain. */
  readonly anchor: AnchorPlace | null;
  readonly log: Logger;
};

const noSuchRecord = refusal('not_found', 'audit record not found');

/** Records with all that proves them, in the exact text that the enclave signed. */
export const createProofBundle =
  (parts: BundleParts): ControlHandlers['createProofBundle'] =>
  async ({ body, caller: { tenantId } }) => {
    const chosen = await recordsOf(parts.enclave, tenantId, body);
    if (!chosen.ok) return chosen;
    const anchor = await rootOnChain(parts);
    const bundle = await parts.enclave.call('control.bundle', { tenantId, auditIds: chosen.value, anchor });
    if (bundle.ok) return { ok: true, stream: bundle.value.body.toString('utf8'), headers };
    const { code, field } = bundle.error;
    if (code === 'NOT_FOUND') return noSuchRecord;
    if (code === 'INVALID_COMMAND' && field === 'auditIds') return tooLarge;
    throw new Error(`the enclave refused control.bundle: ${code}`);
  };

const headers = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="proof-bundle.json"',
};

const tooLarge = refusal(
  'invalid_request',
  'record_ids: are more than 8 MB together: request fewer at a time',
);

async function recordsOf(
  enclave: Enclave,
  tenantId: string,
  {
    record_ids,
    execution_id,
    filter: { limit, offset, ...filter } = { offset: 0, execution_id },
  }: NewProofBundle,
): Promise<Result<string[], Refusal>> {
  if (record_ids !== undefined) return ok(record_ids);
  const wanted = { filter: auditFilterOf(tenantId, filter), limit: limit ?? maxBundled, offset };
  const { items, total } = await queryRecords((part) => ask(enclave, 'audit.query', part), wanted);
  if (limit === undefined && total - offset > maxBundled)
    return refusal(
      'invalid_request',
      `filter: matches ${total} records, but a bundle holds at most ${maxBundled}`,
    );
  return items.length === 0 ? noSuchRecord : ok(items.map(({ auditId }) => auditId));
}

async function rootOnChain({ enclave, anchor, log }: BundleParts) {
  if (anchor === null) return null;
  const { origin } = await ask(enclave, 'describe', {});
  return newestRoot(anchor, logIdOf(origin), (why) =>
    log.warn({ why }, 'the newest root cannot be read from the chain'),
  );
}
