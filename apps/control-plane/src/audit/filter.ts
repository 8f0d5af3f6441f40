import type { AuditQuery } from '@countersign/protocol/control/audit-routes';
import { filterOf } from '@countersign/service/audit-query';

/** Returns the filter over the tenant's records for a caller's query. */
export const auditFilterOf = (
  tenantId: string,
  { execution_id, policy_id, user_id, event_type, ...same }: Omit<AuditQuery, 'limit' | 'offset'>,
): ReturnType<typeof filterOf> =>
  filterOf(tenantId, {
    ...same,
    executionId: execution_id,
    policyId: policy_id,
    userId: user_id,
    eventType: event_type,
  });
