import type { OperationEntry, SessionInfo } from '@countersign/protocol/vault/sandbox-routes';
import type { LoggedOperation, ToldOperation } from './operation-store.ts';
import type { Session } from './session-store.ts';

/** A session on the wire. */
export const showSession = (session: Session): SessionInfo => ({
  id: session.id,
  status: session.status,
  task: session.task,
  allowed_urls: [...session.allowedUrls],
  credential_ids: [...session.credentialIds],
  agent_did: session.agentDid,
  opened_by: session.openedBy,
  approval: session.approval,
  created_at: session.createdAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  current_url: session.currentUrl,
  isolation: session.isolation,
  pending_approvals: [...session.pending],
  ...(session.pausedBy !== null && { paused_by: session.pausedBy }),
  ...(session.closedReason !== null && { closed_reason: session.closedReason }),
});

/** A line of the operation log on the wire. */
export function showOperation(row: ToldOperation): OperationEntry {
  const { operation } = row;
  const value = writtenIn(operation);
  return {
    operation_id: row.id,
    operation_type: operation.operation_type,
    selector: ('selector' in operation ? operation.selector : undefined) ?? null,
    value: value ?? null,
    status: row.status,
    result: row.result,
    ...(row.error !== null && { error: row.error }),
    review: row.review,
    audit_id: row.auditId,
    duration_ms: row.durationMs,
    at: row.at.toISOString(),
    decided_by: row.decidedBy,
    actor: row.actor,
    agent_did: row.agentDid,
    left: row.left,
  };
}

/** Returns what an agent wrote in addition to the element, or how it asked for the page. */
function writtenIn(operation: LoggedOperation): string | undefined {
  if (operation.operation_type === 'screenshot') return operation.full_page ? 'full page' : undefined;
  if (operation.operation_type === 'export') return operation.format;
  return 'value' in operation && operation.value !== undefined ? String(operation.value) : undefined;
}
