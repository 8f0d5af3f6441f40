import { z } from 'zod';
import { digest, name, time } from './fields.ts';

/** States of an execution (spec: control-plane.execution). */
export const executionStatuses = [
  'pending',
  'pending_hitl',
  'running',
  'completed',
  'failed',
  'denied',
  'expired',
  'cancelled',
  'outcome_unknown',
] as const;
export const executionStatus = z.enum(executionStatuses);
export type ExecutionStatus = z.infer<typeof executionStatus>;

/** Those that nothing follows. */
export const ended = ['completed', 'failed', 'denied', 'expired', 'cancelled', 'outcome_unknown'] as const;
export const endedStatus = z.enum(ended);
export type EndedStatus = z.infer<typeof endedStatus>;

/** Why an execution did not complete. `message` is ours alone: never a word of the other side. */
export const executionProblem = z.strictObject({
  code: z.enum([
    'policy_denied',
    'policy_error',
    'hitl_denied',
    'hitl_expired',
    'cancelled',
    /** The key that asked for it was revoked before it ran. */
    'key_revoked',
    /** `params` do not fit the action. */
    'invalid_params',
    /**
     * Schemas were too busy or slow to check the params for minutes. The same request may be sent again with
     * a new Idempotency-Key.
     */
    'schema_check_unavailable',
    'credential_unusable',
    /** The destination is not in the connector's definition, or is a private address. */
    'egress_denied',
    'target_unreachable',
    /** The service answered that it did not do it; `data` has its answer. */
    'target_error',
    /** The service answered with a redirect, which is never followed. */
    'not_followed',
    'connector_timeout',
    'connector_oom',
    'connector_crashed',
    'answer_too_large',
    /** The review of a browser's operation refused it. */
    'review_rejected',
    'sandbox_unavailable',
    /** The connector is not the one that was there when it was asked for. */
    'connector_changed',
    'token_refused',
    'outcome_unknown',
  ]),
  message: z.string(),
  /** HTTP status that the service answered with. */
  target_status: z.int().optional(),
});
export type ExecutionProblem = z.infer<typeof executionProblem>;

/** How an execution's sandbox was isolated; each execution has a new one. */
export const sandboxFacts = z.strictObject({
  sandbox_id: z.string(),
  driver: z.enum(['bubblewrap', 'unshare', 'docker', 'kubernetes', 'browser', 'none']),
  network: z.enum(['none', 'shared']),
  memory_limit: z.enum(['cgroup', 'rlimit', 'container', 'none']),
  seccomp: z.boolean(),
});
export type SandboxFacts = z.infer<typeof sandboxFacts>;

/** A person's decision, as receipts contain it. */
export const hitlDecision = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  /** Name of the approver's key. */
  approver: name,
  at: time,
  /** How the person was authenticated; `key` comes without a wallet's signature. */
  method: z.enum(['key', 'wallet', 'batch']),
  /** The wallet's address (EIP-55); its 65-byte signature is over the typed data of `decision.ts`. */
  wallet: z.string().optional(),
  signature: z.string().optional(),
  batch_id: z.uuid().optional(),
});
export type HitlDecision = z.infer<typeof hitlDecision>;

/** The facts that the enclave signs (spec: control-plane.execution). */
export const receipt = z.strictObject({
  format: z.literal('countersign-execution-receipt-v1'),
  execution_id: z.uuid(),
  tenant: name,
  agent: name,
  user_id: name,
  service: name,
  action: name,
  status: endedStatus,
  problem: z.string().nullable(),
  policy_id: name,
  policy_version: z.int().min(1),
  /** Digest of the policy's content, as in the policy's own reply. */
  policy_digest: digest,
  params_hash: digest,
  /** `sha256:` of the RFC 8785 text of `data` as it was answered; null where there is none. */
  result_hash: digest.nullable(),
  /**
   * HTTP status that the service answered with; null where none was heard, or the connector speaks no HTTP. Receipts of
   * earlier releases have no such member.
   */
  target_status: z.int().nullable().optional(),
  /** Null where nobody was asked. */
  hitl_proof: z.array(hitlDecision).nullable(),
  /** Id of the action token that was spent; null if nothing ran. */
  jti: z.string().nullable(),
  sandbox: sandboxFacts.nullable(),
  tee_mrenclave: z.string(),
  started_at: time.nullable(),
  ended_at: time,
});
export type Receipt = z.infer<typeof receipt>;

export const signedReceipt = z.strictObject({
  receipt,
  /** Base64 of Ed25519 by the audit key over SHA-256 of "countersign-execution-receipt-v1" ‖ RFC 8785 text of the receipt. */
  signature: z.base64(),
  /** The audit key, 32 bytes in base64, as in the attestation report. */
  public_key: z.base64(),
});
export type SignedReceipt = z.infer<typeof signedReceipt>;

/** Claims of an action token. Times are ISO 8601 (spec: control-plane.action-token). */
export const actionTokenClaims = z.strictObject({
  jti: z.uuid(),
  /** Name of the enclave's audit log. */
  iss: z.string(),
  sub: z.strictObject({ tenant: name, agent: name, user: name }),
  iat: time,
  exp: time,
  /** The service that it is for. */
  aud: name,
  execution_id: z.uuid(),
  policy_id: name,
  policy_version: z.int().min(1),
  action: name,
  params_hash: digest,
  hitl_confirmed: z.boolean(),
  risk_tier: z.string().nullable(),
  tee_mrenclave: z.string(),
});
export type ActionTokenClaims = z.infer<typeof actionTokenClaims>;

/** The claims that a service may see. Who asked and how the action was rated stay with the tenant. */
export const actionClaims = actionTokenClaims.omit({ sub: true, risk_tier: true });
export type ActionClaims = z.infer<typeof actionClaims>;

export const toldOf = ({ sub: _sub, risk_tier: _riskTier, ...told }: ActionTokenClaims): ActionClaims => told;

export const actionTokenLifetimeMs = 15 * 60_000;
