import { hash } from 'node:crypto';
import type { Signer } from '@countersign/audit-log/keys';
import { signReceipt } from '@countersign/audit-log/receipt';
import type { ExecutionProblem, Receipt, SignedReceipt } from '@countersign/protocol/control/execution';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';
import { draftOf, type Execution } from './execution.ts';

/** How an execution ended. */
export type End = {
  readonly proof: SignedReceipt;
  readonly problem: ExecutionProblem | null;
  readonly durationMs: number;
  /** RFC 8785 text of what the service answered; empty where there is nothing. */
  readonly data: Buffer;
  /** Says in the audit log how it ended. */
  readonly draft: RecordDraft;
  /** The id of its audit record; null until the record is on disk. */
  readonly auditId: string | null;
};

type How = Pick<End, 'problem' | 'durationMs' | 'data'> & { readonly targetStatus: number | null } & Pick<
    Receipt,
    'status' | 'jti' | 'sandbox' | 'started_at'
  > & { readonly actor: string };

/** The end of an execution that was never run. */
export const notRun = {
  jti: null,
  sandbox: null,
  started_at: null,
  targetStatus: null,
  durationMs: 0,
  data: Buffer.alloc(0),
} as const;

export type EndParts = {
  readonly signer: Signer;
  readonly measurement: string;
  /** Unix milliseconds. */
  readonly now: () => number;
};

/** An end with the receipt of it and the record that is to be written. */
export function makeEnd({ signer, measurement, now }: EndParts, execution: Execution, how: How): End {
  const { problem, durationMs, data, actor, status, jti, sandbox, started_at, targetStatus } = how;
  const receipt: Receipt = {
    format: 'countersign-execution-receipt-v1',
    execution_id: execution.executionId,
    tenant: execution.tenantId,
    agent: execution.agent,
    user_id: execution.userId,
    service: execution.service,
    action: execution.action,
    status,
    problem: problem?.code ?? null,
    policy_id: execution.policyId,
    policy_version: execution.policyVersion,
    policy_digest: execution.policyDigest,
    params_hash: execution.paramsHash,
    result_hash: data.length === 0 ? null : `sha256:${hash('sha256', data)}`,
    target_status: targetStatus,
    hitl_proof: execution.hitlProof,
    jti,
    sandbox,
    tee_mrenclave: measurement,
    started_at,
    ended_at: new Date(now()).toISOString(),
  };
  const proof = signReceipt(receipt, signer);
  const { signature } = proof;
  const draft = draftOf('execution_ended', execution, actor, {
    status,
    problem: receipt.problem,
    tee_mrenclave: measurement,
    execution_receipt: { receipt, signature },
  });
  return { proof, problem, durationMs, data, draft, auditId: null };
}
