import type { CommandReply, CommandRequest } from '@countersign/protocol/enclave/commands';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';

type Query = CommandRequest<'audit.query'>;

/** Asks the enclave for one page; as many records come as fit into a frame. */
export type AskForRecords = (query: Query) => Promise<CommandReply<'audit.query'>>;

/** A page of records; large ones come in several frames. */
export async function queryRecords(
  ask: AskForRecords,
  { filter, limit, offset }: Query,
): Promise<{ items: AuditRecord[]; total: number }> {
  const items: AuditRecord[] = [];
  for (;;) {
    const part = await ask({ filter, limit: limit - items.length, offset: offset + items.length });
    items.push(...part.items);
    const isAll = items.length === limit || offset + items.length >= part.total;
    if (part.items.length === 0 || isAll) return { items, total: part.total };
  }
}

/** Filters of a list of records: ids, and times or days (ISO 8601), both inclusive. */
type Asked = {
  readonly sessionId?: string | undefined;
  readonly agentDid?: string | undefined;
  readonly credentialId?: string | undefined;
  readonly actor?: string | undefined;
  readonly executionId?: string | undefined;
  readonly policyId?: string | undefined;
  readonly userId?: string | undefined;
  readonly service?: string | undefined;
  readonly eventType?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** The same as a filter over the records of a tenant. */
export function filterOf(tenantId: string, { from, to, ...ids }: Asked): Query['filter'] {
  const given = Object.entries(ids).filter(([, value]) => value !== undefined);
  return {
    tenantId,
    ...(Object.fromEntries(given) as { [K in keyof typeof ids]: string }),
    ...(from !== undefined && { from: beginOf(from) }),
    ...(to !== undefined && { to: endOf(to) }),
  };
}

/** A day begins with its first millisecond and ends with its last. */
const beginOf = (when: string): string => new Date(/T[\d:.]+$/.test(when) ? `${when}Z` : when).toISOString();
const endOf = (when: string): string =>
  when.includes('T') ? beginOf(when) : new Date(Date.parse(when) + 86_399_999).toISOString();
