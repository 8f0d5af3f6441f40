import type { HitlDecision } from '@countersign/protocol/control/execution';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { batchTable } from '../batches/store.ts';
import { wasConfirmed } from './judge.ts';
import { decisionsOf, type StoredExecution } from './store.ts';

const batch = statement<{ createdBy: string; createdAt: Date }>(
  'execution.batch',
  `select ${batchTable.list('createdBy', 'createdAt')} from ${batchTable.from} where b.id = $1`,
);

/** Who agreed or did not, as it stands in receipts, without their comments; null where nobody was asked. */
export async function hitlProofOf(db: Queryable, execution: StoredExecution): Promise<HitlDecision[] | null> {
  if (!wasConfirmed(execution)) return null;
  const said = (await decisionsOf(db, [execution.id])).get(execution.id) ?? [];
  const decisions = said.map(({ decision }) => decision);
  const { batchId } = execution;
  const given = batchId === null ? null : await firstRow(db, batch, [batchId]);
  if (batchId === null || given === null) return decisions;
  const at = given.createdAt.toISOString();
  const inAdvance = {
    decision: 'approve',
    approver: given.createdBy,
    at,
    method: 'batch',
    batch_id: batchId,
  };
  return [inAdvance as HitlDecision, ...decisions];
}
