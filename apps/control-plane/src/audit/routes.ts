import type { controlAuditRoutes } from '@countersign/protocol/control/audit-routes';
import { ok } from '@countersign/protocol/result';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { refusal } from '../refusal.ts';

type AuditHandlers = Pick<ControlHandlers, keyof typeof controlAuditRoutes>;

/** The audit log, which is the enclave's, as a tenant may see it, and the report about the enclave. */
export function auditHandlers(enclave: Enclave): AuditHandlers {
  return {
    async queryRecords({ query, caller }) {
      const { limit, offset, from, to, ...ids } = query;
      const filter = {
        tenantId: caller.tenantId,
        ...ids,
        ...(from !== undefined && { from: new Date(from).toISOString() }),
        ...(to !== undefined && { to: endOf(to) }),
      };
      const { items, total } = await ask(enclave, 'audit.query', { filter, limit, offset });
      return ok({ items, total, limit, offset });
    },

    async getRecord({ params, caller }) {
      const which = { tenantId: caller.tenantId, auditId: params['id'] ?? '' };
      const found = await enclave.call('audit.record', which);
      return found.ok
        ? ok(found.value.reply.record as AuditRecord)
        : refusal('not_found', 'there is no such audit record');
    },

    attestationReport: async ({ query: { nonce } }) => ok(await ask(enclave, 'report', { nonce })),
  };
}

/** A day ends with its last millisecond. */
const endOf = (when: string): string =>
  when.includes('T') ? new Date(when).toISOString() : new Date(Date.parse(when) + 86_399_999).toISOString();
