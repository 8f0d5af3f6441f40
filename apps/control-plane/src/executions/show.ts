import type { Execution } from '@countersign/protocol/control/execution-routes';
import { queryRecords } from '@countersign/service/audit-query';
import type { Queryable } from '@countersign/service/sql';
import { ask, type Enclave } from '../enclave.ts';
import type { Sealing } from './sealing.ts';
import { decisionsOf, type StoredDecision, type StoredExecution } from './store.ts';

/** An execution as it is answered, but for what the service said and what the enclave vouches for. */
export const showExecution = (
  execution: StoredExecution,
  decisions: readonly StoredDecision[],
): Omit<Execution, 'data' | 'proof' | 'audit_refs'> => ({
  execution_id: execution.id,
  status: execution.status,
  target_status: execution.proof?.receipt.target_status ?? null,
  audit_ref: execution.auditRef,
  policy_id: execution.policyId,
  policy_version: execution.policyVersion,
  duration_ms: execution.durationMs,
  action_token: showToken(execution),
  error: execution.problem,
  user_id: execution.userId,
  service: execution.service,
  action: execution.action,
  params_hash: execution.paramsHash,
  risk_tier: execution.riskTier,
  determining: [...execution.determining],
  approval: showApproval(execution, decisions),
  mode: execution.mode,
  created_by: execution.createdBy,
  created_at: execution.createdAt.toISOString(),
  ended_at: execution.endedAt?.toISOString() ?? null,
});

function showToken({ jti, tokenExp, tokenSpentAt }: StoredExecution): Execution['action_token'] {
  if (jti === null || tokenExp === null || tokenSpentAt === null) return null;
  return { jti, exp: tokenExp.toISOString(), spent_at: tokenSpentAt.toISOString() };
}

function showApproval(
  { quorum, approvers, approvalExpiresAt }: StoredExecution,
  decisions: readonly StoredDecision[],
): Execution['approval'] {
  if (quorum === null || approvers === null || approvalExpiresAt === null) return null;
  const expires_at = approvalExpiresAt.toISOString();
  const said = decisions.map(({ decision, comment }) =>
    comment === null ? decision : { ...decision, comment },
  );
  return { quorum, approvers: [...approvers], expires_at, decisions: said };
}

/** Shows executions as a whole. `db` may be the transaction that just wrote them. */
export type ShowWhole = (db: Queryable, execution: StoredExecution) => Promise<Execution>;

export const showWhole =
  (sealing: Sealing, enclave: Enclave): ShowWhole =>
  async (db, execution) => {
    const decisions = (await decisionsOf(db, [execution.id])).get(execution.id) ?? [];
    const data = execution.data === null ? null : await sealing.open(execution, 'data', execution.data);
    return {
      ...showExecution(execution, decisions),
      audit_refs: await auditRefsOf(enclave, execution),
      data: data === null ? null : (JSON.parse(data) as unknown),
      proof: execution.proof,
    };
  };

/** Far more than one execution has: three at most for each attempt, and two for each approval. */
const maxRefs = 1000;

async function auditRefsOf(
  enclave: Enclave,
  { tenantId, id }: Pick<StoredExecution, 'tenantId' | 'id'>,
): Promise<string[]> {
  const wanted = { filter: { tenantId, executionId: id }, limit: maxRefs, offset: 0 };
  const { items } = await queryRecords((part) => ask(enclave, 'audit.query', part), wanted);
  return items.map(({ auditId }) => auditId).reverse();
}
