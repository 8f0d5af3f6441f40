import type { WebhookEvent } from '@countersign/protocol/control/webhook-routes';
import type { Event } from '../webhooks/webhooks.ts';
import type { StoredExecution } from './store.ts';

type ExecutionEvent = Extract<WebhookEvent, `execution.${string}`>;

/** Returns the webhook event of an execution: its id and state, never params or results. */
export const eventOf = (
  type: ExecutionEvent,
  { id, tenantId, status, policyId, policyVersion, userId, service, action, auditRef }: StoredExecution,
): Event => ({
  type,
  tenantId,
  data: {
    execution_id: id,
    status,
    policy_id: policyId,
    policy_version: policyVersion,
    user_id: userId,
    service,
    action,
    audit_ref: auditRef,
  },
});

/** Returns the webhook event of an execution's end; null if it has not ended. */
export function endEventOf({ status }: Pick<StoredExecution, 'status'>): ExecutionEvent | null {
  switch (status) {
    case 'completed':
      return 'execution.completed';
    // Whoever waits for a result must hear that none can be told; `status` says which it is.
    case 'failed':
    case 'outcome_unknown':
      return 'execution.failed';
    case 'denied':
      return 'execution.denied';
    case 'expired':
      return 'execution.expired';
    case 'cancelled':
      return 'execution.cancelled';
    case 'pending':
    case 'pending_hitl':
    case 'running':
      return null;
  }
}
