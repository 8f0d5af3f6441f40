import type { Requirement } from '../requirement.ts';

/** Policies, their versions, evaluation and the person in the loop. */
export const controlPlanePolicyRequirements = [
  {
    id: 'control-plane.policy.create',
    source: 'document 3, Endpoints B; page 3, Policies',
    behaviour:
      'POST /v1/policies {policy_id?, name, cedar, schema?, mode?, hitl?} answers 201 {policy_id, ' +
      'policy_version, mode, digest, signature, created_at}.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.create.new-version',
    source: 'document 3, Endpoints B; page 3, Policies',
    behaviour:
      'POST /v1/policies with a known policy_id makes the next version, with another one the first; older ones never change.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.mode',
    source: 'page 3, Policies',
    behaviour: 'mode is active or log_only, active if absent.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.hitl.fields',
    source: 'page 3, Policies',
    behaviour: 'hitl is {when, approvers, quorum, timeout_seconds}.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.digest',
    source: 'page 3, Policies',
    behaviour: 'digest is sha256: of the canonical Cedar text with its settings.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.signature',
    source: 'page 3, Policies',
    behaviour: 'signature of a version is Ed25519 by the audit key of the enclave and verifies.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.invalid-cedar',
    source: 'page 3, Policies',
    behaviour: 'Invalid Cedar is 400 with line and column.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.get',
    source: 'document 3, Endpoints B; page 3, Policies',
    behaviour: 'GET /v1/policies/:policy_id answers the current version, with ?version=N that one.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.versions',
    source: 'document 3, Endpoints B',
    behaviour: 'GET /v1/policies/:policy_id/versions answers the history of versions with their signatures.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.schema',
    source: 'page 3, Policies',
    behaviour:
      'schema is a Cedar schema in its own words or in its JSON form; null members of a reply may be sent back as they are.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.request',
    source: 'page 3, Policies',
    behaviour:
      'Cedar decides about principal User::"<user_id>", action Action::"<action>", resource ' +
      'Service::"<service>" and context {params, hitl_confirmed}.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.amounts',
    source: 'page 3, Policies',
    behaviour: 'Amounts in a policy are integers in token base units.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.deny',
    source: 'document 3, What the service does, Part B; page 3, Policies',
    behaviour: 'An execution that the policy does not permit ends denied and never runs.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.evaluation-error',
    source: 'page 3, Policies',
    behaviour: 'Any evaluation error means deny.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.log-only',
    source: 'page 3, Policies',
    behaviour: 'A log_only policy decides nothing: its verdict is only recorded.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.when',
    source: 'page 3, Policies',
    behaviour:
      'An execution for which the Cedar condition hitl.when holds waits for a person in status pending_hitl.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.approvers',
    source: 'page 3, Policies',
    behaviour: 'Only keys in approvers may decide; ["*"] means any approver key.',
    status: 'tested',
  },
  {
    id: 'control-plane.policy.satisfiable',
    source: 'issue 16, line 8',
    behaviour:
      'A version of a policy that nobody could satisfy (a permit that wants more approvals than can come, an approver who is no ' +
      'key and no wallet, a permit for services without a connector alone) is 400 unsatisfiable_policy, and nothing is stored.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.quorum',
    source: 'page 3, Policies',
    behaviour: 'An execution runs after quorum approvals of different approvers, 1 if absent.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.not-oneself',
    source: 'page 3, Policies; issue 16, line 8',
    behaviour:
      'Nobody decides about what they asked for, nor about what is done for a user of their name, in whatever spelling, or for ' +
      'their wallet.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.decision',
    source: 'page 3, HITL',
    behaviour:
      'POST /v1/executions/:id/decision {decision: approve or deny, comment?, hitl_proof?} decides; ' +
      'hitl_proof is a wallet signature.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.deny',
    source: 'page 3, HITL',
    behaviour: 'A denied execution ends denied and never runs.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.timeout',
    source: 'page 3, HITL; page 3, Policies',
    behaviour: 'Without a decision within timeout_seconds the execution is expired, and nothing runs.',
    status: 'tested',
  },
  {
    id: 'control-plane.hitl.wallet',
    source: 'page 3, HITL; page 3, Policies',
    behaviour:
      'approvers may name wallets by address: then hitl_proof must be their EIP-712 signature over this very ' +
      'decision; one decision for each key and each wallet.',
    status: 'tested',
  },
  {
    id: 'control-plane.batch.create',
    source: 'document 3, Endpoints B; page 3, Batch authorizations',
    behaviour:
      'POST /v1/batch-authorizations (approver) {policy_id, user_id?, service, action, condition, ' +
      'max_executions, expires_at} answers 201.',
    status: 'tested',
  },
  {
    id: 'control-plane.batch.skips-hitl',
    source: 'page 3, Batch authorizations',
    behaviour: 'Executions inside the window for which the Cedar condition on params holds skip the person.',
    status: 'tested',
  },
  {
    id: 'control-plane.batch.used-up',
    source: 'page 3, Batch authorizations',
    behaviour: 'After max_executions, or after expires_at, executions wait for a person again.',
    status: 'tested',
  },
  {
    id: 'control-plane.batch.revoke',
    source: 'document 3, Endpoints B; page 3, Batch authorizations',
    behaviour:
      'GET /v1/batch-authorizations and /:id answer batches with what is used of them; DELETE /:id ends one, and ' +
      'executions wait for a person again.',
    status: 'tested',
  },
  {
    id: 'control-plane.batch.not-oneself',
    source: 'page 3, Policies; page 3, Batch authorizations',
    behaviour:
      'A batch covers nothing that its own maker asks for, nothing under another policy version, nothing for which ' +
      'more than one approval is wanted, and nothing for which its condition cannot be evaluated.',
    status: 'tested',
  },
  {
    id: 'control-plane.names.legible',
    source: 'issue 16, 14',
    behaviour:
      'A name that is stored (policies, connectors, credentials) holds no invisible character and none that turns the ' +
      'reading order; the refusal names it.',
    status: 'tested',
  },
  {
    id: 'control-plane.names.kept',
    source: 'issue 16, 14',
    behaviour:
      'A policy_id or service that an earlier build kept with such characters takes its next version and its next ' +
      'connector; a new one of such a name is refused.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
