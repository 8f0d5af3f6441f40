import type { Queryable } from '@countersign/service/sql';
import { isAsker, isNamed } from '../approvals/approvers.ts';
import { ask, type Enclave } from '../enclave.ts';
import type { StoredExecution } from '../executions/store.ts';
import { parseCondition, prepare } from '../policy/cedar.ts';
import type { CedarValue } from '../policy/params.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { fittingBatches, type FittingBatch, type StoredBatch, takeOne } from './store.ts';

export type UseParts = {
  readonly enclave: Enclave;
  readonly webhooks: Pick<Webhooks, 'emit'>;
  readonly now: () => Date;
};

/**
 * In the transaction that makes an execution for which people would be asked: the batch that stands in for them, of which one
 * is used up then, or null. A batch is the word of one approver, so it is enough only where one is. Recorded before it counts.
 */
export async function useBatch(
  { enclave, webhooks, now }: UseParts,
  db: Queryable,
  execution: StoredExecution,
  params: CedarValue,
): Promise<string | null> {
  if (execution.quorum !== 1) return null;
  const at = now();
  const { keyId, createdBy: keyName } = execution;
  const fitting = await fittingBatches(db, { ...execution, keyId, keyName }, at);
  for (const { id } of fitting.filter((batch) => holdsFor(batch, execution, params))) {
    const batch = await takeOne(db, id, at);
    if (batch === null) continue;
    await ask(enclave, 'control.record', { draft: recordOf(batch, execution) });
    if (batch.used === batch.maxExecutions) await webhooks.emit(db, exhausted(batch));
    return batch.id;
  }
  return null;
}

/**
 * Returns whether its maker may decide here and its condition holds; a condition that fails holds for
 * nothing.
 */
function holdsFor(
  { id, condition, createdBy, createdByKey, account }: FittingBatch,
  execution: StoredExecution,
  params: CedarValue,
): boolean {
  const { approvers, userId, service, action } = execution;
  const maker = { keyId: createdByKey, name: createdBy, wallet: null, account };
  if (isAsker(execution, maker) || !isNamed(approvers ?? [], maker)) return false;
  if (condition === null) return true;
  const parsed = parseCondition(condition);
  if (!parsed.ok) throw new Error(`the condition of the batch ${id} was stored and does not parse`);
  const evaluate = prepare(`batch\n${id}`, [parsed.value]);
  return evaluate({ userId, service, action, params, hitlConfirmed: false }).permitted;
}

const recordOf = (batch: StoredBatch, { id, policyId, policyVersion, paramsHash }: StoredExecution) => ({
  eventType: 'human_approval_received' as const,
  tenantId: batch.tenantId,
  actor: `key:approver:${batch.createdBy}`,
  detail: {
    execution_id: id,
    policy_id: policyId,
    policy_version: policyVersion,
    params_hash: paramsHash,
    decision: 'approve',
    approver: batch.createdBy,
    method: 'batch',
    batch_id: batch.id,
  },
});

const exhausted = ({ tenantId, id, policyId, maxExecutions }: StoredBatch) => ({
  type: 'batch.exhausted' as const,
  tenantId,
  data: { batch_id: id, policy_id: policyId, max_executions: maxExecutions },
});
