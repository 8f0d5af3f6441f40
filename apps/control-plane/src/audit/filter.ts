import type { AuditQuery } from '@countersign/protocol/control/audit-routes';
import { filterOf } from '@countersign/service/audit-query';

/** What a caller asks for, as a filter over the records of their tenant. */
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
