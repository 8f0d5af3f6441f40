import type { executionCommands } from '@countersign/protocol/enclave/execution-commands';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';
import type { z } from 'zod';

type Request<C extends keyof typeof executionCommands> = z.output<(typeof executionCommands)[C]['request']>;
export type RunRequest = Request<'control.run'>;
/** A run that begins, with what its service is told of it, signed. */
export type Begun = RunRequest & { readonly statement: string };
export type ConcludeRequest = Request<'control.conclude'>;

/** The facts of an execution, whether it runs or not. */
export type Execution = Omit<ConcludeRequest, 'status' | 'problem' | 'actor'>;

/** A record of an execution. Names, hashes and what people decided: no params, and nothing that a service answered. */
export const draftOf = (
  eventType: RecordDraft['eventType'],
  execution: Execution,
  actor: string,
  detail: { readonly tee_mrenclave: string } & Record<string, unknown>,
): RecordDraft => ({
  eventType,
  tenantId: execution.tenantId,
  actor,
  detail: {
    execution_id: execution.executionId,
    user_id: execution.userId,
    service: execution.service,
    action: execution.action,
    policy_id: execution.policyId,
    policy_version: execution.policyVersion,
    policy_digest: execution.policyDigest,
    params_hash: execution.paramsHash,
    risk_tier: execution.riskTier,
    ...(execution.hitlProof !== null && { hitl_proof: execution.hitlProof }),
    ...detail,
  },
});
