import type { AnchorPlace } from '@countersign/audit-log/anchor/ethereum';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import { mostBundled, type NewProofBundle } from '@countersign/protocol/control/audit-routes';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { ok, type Result } from '@countersign/protocol/result';
import { filterOf, queryRecords } from '@countersign/service/audit-query';
import type { Logger } from '@countersign/service/logger';
import type { ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { type Refusal, refusal } from '../refusal.ts';

export type BundleParts = {
  readonly enclave: Enclave;
  /** Null where the log's roots are on no chain. */
  readonly anchor: AnchorPlace | null;
  readonly log: Logger;
};

const noSuchRecord = refusal('not_found', 'there is no such audit record');

/** Records with all that proves them, in the exact text that the enclave signed. */
export const createProofBundle =
  (parts: BundleParts): ControlHandlers['createProofBundle'] =>
  async ({ body, caller: { tenantId } }) => {
    const chosen = await recordsOf(parts.enclave, tenantId, body);
    if (!chosen.ok) return chosen;
    const anchor = await newestRoot(parts);
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
  'record_ids: are more than 8 MB together: ask for fewer at a time',
);

async function recordsOf(
  enclave: Enclave,
  tenantId: string,
  { record_ids, filter: { limit, offset, ...filter } = { offset: 0 } }: NewProofBundle,
): Promise<Result<string[], Refusal>> {
  if (record_ids !== undefined) return ok(record_ids);
  const wanted = { filter: filterOf(tenantId, filter), limit: limit ?? mostBundled, offset };
  const { items, total } = await queryRecords((part) => ask(enclave, 'audit.query', part), wanted);
  if (limit === undefined && total - offset > mostBundled)
    return refusal('invalid_request', `filter: finds ${total} records, and a bundle holds ${mostBundled}`);
  return items.length === 0 ? noSuchRecord : ok(items.map(({ auditId }) => auditId));
}

type OnChain = CommandRequest<'control.bundle'>['anchor'];

/** The newest root on chain. A chain that does not answer leaves the bundle without: its checkpoint is signed all the same. */
async function newestRoot({ enclave, anchor, log }: BundleParts): Promise<OnChain> {
  if (anchor === null) return null;
  const { origin } = await ask(enclave, 'describe', {});
  try {
    // Only who asks for the chain waits for its library.
    const { newestOnChain } = await import('@countersign/audit-log/anchor/ethereum');
    const newest = await newestOnChain(anchor, logIdOf(origin));
    if (newest === null) return null;
    const { root, ...where } = newest;
    return { ...where, root: `0x${root.toString('hex')}`, contract: anchor.contract };
  } catch (error) {
    // Its words may hold the node's URL, and that a key.
    log.warn(
      { why: error instanceof Error ? error.name : 'unknown' },
      'the chain cannot be asked for the newest root',
    );
    return null;
  }
}
