import type { Requirement } from '../requirement.ts';

/** Executions, action tokens, webhooks, audit and proof bundles. */
export const controlPlaneExecutionRequirements = [
  {
    id: 'control-plane.execution.create',
    source: 'document 3, Endpoints B; document 3, Control-plane resources; page 3, Executions',
    behaviour:
      'POST /v1/executions takes policy_id, user_id, service, action, params, mode (sync or async, sync if ' +
      'absent) and timeout_seconds.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.reply',
    source: 'document 3, Control-plane resources; page 3, Executions',
    behaviour:
      'The reply has execution_id, status, data, proof, audit_ref, policy_id, policy_version, duration_ms ' +
      'and action_token {jti, exp, spent_at}.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.status',
    source: 'page 3, Executions',
    behaviour:
      'status is pending, pending_hitl, running, completed, failed, denied, expired, cancelled or ' +
      'outcome_unknown.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.sync',
    source: 'page 3, Executions',
    behaviour: 'A sync execution answers 200 when it ended, whatever its status.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.sync.waits',
    source: 'page 3, Executions',
    behaviour: 'A sync execution that waits for a person answers 202.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.async',
    source: 'page 3, Executions',
    behaviour:
      'An async execution answers 202; GET /v1/executions/:execution_id tells its status and result.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.cancel',
    source: 'page 3, Executions',
    behaviour: 'POST /v1/executions/:id/cancel before it runs ends it cancelled; it never runs.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.timeout',
    source: 'page 3, Executions',
    behaviour: 'An execution that takes longer than timeout_seconds is ended and does not stay running.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.idempotency.required',
    source: 'document 3, Endpoints B; page 3, Executions',
    behaviour: 'POST /v1/executions without Idempotency-Key is 400 idempotency_key_required.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.idempotency.replay',
    source: 'page 3, Executions',
    behaviour:
      'Same key and same body give the stored answer with Idempotent-Replayed: true and run nothing.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.idempotency.other-body',
    source: 'page 3, Executions',
    behaviour: 'Same key and another body are 422.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.idempotency.running',
    source: 'page 3, Executions',
    behaviour: 'Same key and same body while the first still runs are 409.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.params-hash',
    source: 'page 3, Executions',
    behaviour: 'params_hash is sha256: of the RFC 8785 text of params.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.audit-ref',
    source: 'page 3, Executions',
    behaviour: 'audit_ref of a reply is the auditId of its record.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.proof',
    source: 'page 3, Executions',
    behaviour:
      'proof is a receipt signed by the enclave over execution, policy version, params hash, result hash, ' +
      'hitl_proof and measurement.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.changed-meanwhile',
    source: 'page 3, Executions',
    behaviour:
      'Where the connector was replaced (connector_changed) or its credential is gone (credential_unusable) between approval ' +
      'and run, it fails and nothing is sent.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.worker-died',
    source: 'page 3, Durable work',
    behaviour:
      'An execution whose connector died midway ends outcome_unknown, unless the connector is declared ' +
      'safe_to_retry: then it runs again.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.durable',
    source: 'page 3, Durable work',
    behaviour: 'Executions, webhooks and schedules survive kill -9 of any process.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.ended-once',
    source: 'page 3, Executions',
    behaviour:
      'For 15 minutes the enclave tells of an execution how it ended, with the same receipt, and does not do it again; who ' +
      'concludes one that ended hears how it truly ended.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.form',
    source: 'document 3, Control-plane resources',
    behaviour: 'An action token is PASETO v4.local.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.claims',
    source: 'document 3, Control-plane resources',
    behaviour:
      'Its claims are jti, iss, sub (tenant, agent, user), exp, policy_id, policy_version, action, ' +
      'params_hash, hitl_confirmed, risk_tier and tee_mrenclave.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.lifetime',
    source: 'document 3, Limits 2; document 3, Control-plane resources; page 3, Action tokens',
    behaviour: 'An action token lives 15 minutes.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.single-use',
    source: 'document 3, Control-plane resources; page 3, Action tokens',
    behaviour: 'An action token is spent once, also when several nodes try at the same time.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.bound',
    source: 'document 3, Control-plane resources; page 3, Action tokens',
    behaviour: 'An action token for another policy version, action, params hash or measurement is refused.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.enclave-restart',
    source: 'document 3, Control-plane resources; page 3, Action tokens',
    behaviour:
      'An enclave refuses a token that was minted before it started, because it may have been spent then.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.verify',
    source: 'issue 16, line 5',
    behaviour:
      'POST /v1/action-tokens/verify {token}, without a key, answers valid: true with claims (action, policy_id, ' +
      'policy_version, params_hash, aud: the service, and no more of who asked) while a request carries the token, and ' +
      'reason spent ever after.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.verify.once',
    source: 'issue 16, line 5',
    behaviour:
      'Of many who ask about a token, at several processes, one at most hears valid: true; nobody does once its request was ' +
      'answered, refused or cut off, or the process or the enclave was killed.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.verify.unknown',
    source: 'issue 16, line 5',
    behaviour:
      'Of texts that are no token (malformed), tokens that no enclave here made for a request (unknown) and expired ones the ' +
      'answer is valid: false with that reason and nothing else.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.verify.rate',
    source: 'issue 16, line 5',
    behaviour:
      'Asking about tokens is limited by address (429, Retry-After), apart from the limit of other calls.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.statement',
    source: 'issue 16, line 5',
    behaviour:
      'Beside the token a request carries countersign-action-statement: the same claims as PASETO v4.public, which the published key ' +
      'verifies offline.',
    status: 'tested',
  },
  {
    id: 'control-plane.action-token.key',
    source: 'issue 16, line 5',
    behaviour:
      'GET /v1/action-tokens/key answers, without a key, the key of statements (PASERK k4.public) with the audit key’s signature ' +
      'over it; restarts and a change of the audit key leave it as it is.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.roll',
    source: 'issue 16, line 8',
    behaviour:
      'POST /v1/webhooks/:id/roll answers a new secret, shown once; for 24 hours both signature headers carry a signature by ' +
      'it and by those before, at every process; then by it alone.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.roll.shared',
    source: 'issue 16, line 8',
    behaviour:
      'Where the operator’s WEBHOOK_SECRET signs for all, rolling is 409 conflict; WEBHOOK_SECRET takes two secrets, and both sign.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.event.cancelled',
    source: 'issue 16, line 8',
    behaviour: 'An execution that ends cancelled is told as execution.cancelled.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.create',
    source: 'page 3, Webhooks',
    behaviour:
      'POST /v1/webhooks {url, events} answers 201 {webhook_id, url, events, secret}; secret is shown once.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.shared-secret',
    source: 'page 3, Webhooks',
    behaviour: 'Under npm start every webhook is signed with webhookSecret of the card.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.list',
    source: 'page 3, Webhooks',
    behaviour: 'GET /v1/webhooks lists webhooks without secret.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.delete',
    source: 'page 3, Webhooks',
    behaviour: 'DELETE of a webhook ends its deliveries.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.replay',
    source: 'page 3, Webhooks',
    behaviour: 'POST /v1/webhooks/:id/replay delivers again.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.signature',
    source: 'document 3, Events 2; page 3, Webhooks',
    behaviour: 'Deliveries carry Standard Webhooks headers with HMAC-SHA256 over the raw body by secret.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.event.executions',
    source: 'document 3, Events 2; page 3, Webhooks',
    behaviour:
      'An execution sends execution.created, .pending_hitl, .approved, .denied, .completed, .failed and ' +
      '.expired as these things happen to it.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.event.others',
    source: 'page 3, Webhooks',
    behaviour: 'policy.created, credential.created and batch.exhausted are sent when these things happen.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.body',
    source: 'page 3, Webhooks',
    behaviour: 'The body is {type, timestamp, data}, without params or values.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.retries',
    source: 'page 3, Webhooks',
    behaviour:
      'A delivery that fails is tried again after 1 s, then after 5 s, then with back-off over 24 hours, ' +
      'across restarts.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.own-pace',
    source: 'page 3, Webhooks',
    behaviour:
      'A receiver that is slow or dead delays nobody but itself: a process has at most four messages in flight to each ' +
      'receiver, and what waits behind those is not in the way of others.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.no-redirects',
    source: 'page 3, Webhooks',
    behaviour: 'A redirect is not followed.',
    status: 'tested',
  },
  {
    id: 'control-plane.webhook.private-targets',
    source: 'page 3, Webhooks',
    behaviour:
      'Private targets (IP literals, names that resolve to them, rebinding) are refused unless ' +
      'WEBHOOK_ALLOW_PRIVATE=1.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.records',
    source: 'document 3, Endpoints B; page 3, Audit',
    behaviour: 'GET /v1/audit/records lists records with the filters of the audit log of the vault.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.record',
    source: 'document 3, Endpoints B',
    behaviour: 'GET /v1/audit/records/:id answers one record.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.record.fields',
    source: 'document 3, Control-plane resources',
    behaviour:
      'A record of an execution holds params_hash, execution_receipt, tee_mrenclave and, where a person ' +
      'decided, hitl_proof.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.record.no-plaintext',
    source: 'document 3, Control-plane resources',
    behaviour: 'No record holds plaintext params or credential values.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.proof-bundle',
    source: 'document 3, Endpoints B; page 3, Audit',
    behaviour:
      'POST /v1/audit/proof-bundles {record_ids, execution_id or filter} answers one file with records, inclusion ' +
      'proofs, checkpoint, anchor transaction and attestation report.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.proof-bundle.anchor',
    source: 'page 3, Audit',
    behaviour:
      'The anchor of a bundle is the newest root on chain, where that is a root of this log and contains all records that ' +
      'were asked for; else null.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.receipt.verify',
    source: 'page 3, Audit',
    behaviour:
      'countersign audit verify checks each execution_receipt by the log’s key and against its record, in bundles and exports.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.proof-bundle.verify',
    source: 'page 3, Audit',
    behaviour:
      'countersign audit verify checks a proof bundle with no network, and refuses one with a changed byte.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.proof-bundle.rewritten',
    source: 'page 3, Audit',
    behaviour:
      'A proof bundle that a JSON library wrote anew (indented, other order of members, escapes) is as good as the reply ' +
      'itself; one with a member twice is bad.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
