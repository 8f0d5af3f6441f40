import type { KeyObject } from 'node:crypto';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { canonicalText } from '../chain.ts';
import { isReceiptSigned } from '../receipt.ts';
import { executionReceipt } from './execution-receipt.ts';
import { holds, type Step } from './report.ts';

/** What a record says of an execution beside its receipt, and must say as it does. */
const shared = [
  'execution_id',
  'user_id',
  'service',
  'action',
  'policy_id',
  'policy_version',
  'policy_digest',
  'params_hash',
  'status',
  'problem',
  'tee_mrenclave',
] as const;

export const notSigned = 'the receipt is not signed by a key of the log: it was changed';

/** The receipts of executions that stand in records. */
export class Receipts {
  #good = 0;

  /** What is wrong with the receipt of a record; null for a record that needs none. Without keys (null) its signature is not judged. */
  check({ eventType, tenantId, detail }: AuditRecord, keys: readonly KeyObject[] | null): string | null {
    const given = detail['execution_receipt'];
    if (given === undefined) return eventType === 'execution_ended' ? 'the receipt is missing' : null;
    const parsed = executionReceipt.safeParse(given);
    if (!parsed.success) return 'the receipt cannot be read';
    const { receipt } = parsed.data;
    const isSame =
      shared.every((name) => receipt[name] === (detail[name] ?? null)) &&
      receipt.tenant === tenantId &&
      canonicalText(receipt.hitl_proof) === canonicalText(detail['hitl_proof'] ?? null);
    if (!isSame) return 'the receipt and the record disagree about the execution';
    if (keys === null) return null;
    if (!keys.some((key) => isReceiptSigned(parsed.data, key))) return notSigned;
    this.#good += 1;
    return null;
  }

  /** What holds of those that were checked, where there were any. */
  steps(): readonly Step[] {
    return this.#good === 0
      ? []
      : [
          holds(
            `receipts of executions, ${this.#good} of them: each is signed by the log, and as its record says`,
          ),
        ];
  }
}
