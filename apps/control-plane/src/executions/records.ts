import type { StoredConnector } from '../connectors/store.ts';
import type { Verdict } from '../policy/decide.ts';
import type { Judgement } from './judge.ts';
import type { StoredExecution } from './store.ts';

/** Returns the record of a request and the policy's verdict. Params appear only as their hash. */
export const requestRecord = (
  execution: StoredExecution,
  { id: connector_id, credentialId }: StoredConnector,
  { verdict, problem, beside }: Judgement,
  actor: string,
) => ({
  eventType: 'execution_requested' as const,
  tenantId: execution.tenantId,
  ...(credentialId !== null && { credentialId }),
  actor,
  detail: {
    ...about(execution),
    connector_id,
    policy_digest: execution.policyDigest,
    ...said(problem === null ? verdict : { ...verdict, verdict: 'deny' }),
    risk_tier: execution.riskTier,
    problem: problem?.code ?? null,
    ...(execution.batchId !== null && { batch_id: execution.batchId }),
    log_only: beside.map(({ version, verdict: one }) => ({ policy_version: version, ...said(one) })),
  },
});

/** Who is asked to agree, to what, until when. */
export const approvalRecord = (execution: StoredExecution, actor: string) => ({
  eventType: 'human_approval_requested' as const,
  tenantId: execution.tenantId,
  actor,
  detail: {
    ...about(execution),
    approvers: execution.approvers ?? [],
    quorum: execution.quorum,
    expires_at: execution.approvalExpiresAt?.toISOString() ?? null,
  },
});

const about = (execution: StoredExecution) => ({
  execution_id: execution.id,
  user_id: execution.userId,
  policy_id: execution.policyId,
  policy_version: execution.policyVersion,
  service: execution.service,
  action: execution.action,
  params_hash: execution.paramsHash,
});

const said = ({ verdict, determining, errors }: Pick<Verdict, 'verdict' | 'determining' | 'errors'>) => ({
  verdict,
  determining,
  errors,
});
