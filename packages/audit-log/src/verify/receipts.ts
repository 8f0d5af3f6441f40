import type { KeyObject } from 'node:crypto';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { canonicalText } from '../chain.ts';
import { isReceiptSigned } from '../receipt.ts';
import { executionReceipt } from './execution-receipt.ts';
import { holds, type Step } from './report.ts';

/** Members of a record that must equal those of its receipt. */
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

  /**
   * Returns what is wrong with a record's receipt; null if nothing is, or if the record needs none. Without
   * keys (null) the signature is not checked.
   */
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

  /** Returns the results for the receipts that were checked, if any were. */
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
