import type { controlAuditRoutes } from '@countersign/protocol/control/audit-routes';
import { ok } from '@countersign/protocol/result';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { queryRecords } from '@countersign/service/audit-query';
import type { ControlHandlers } from '../callers.ts';
import { ask } from '../enclave.ts';
import { refusal } from '../refusal.ts';
import { auditFilterOf } from './filter.ts';
import { type BundleParts, createProofBundle } from './proof-bundle.ts';

type AuditHandlers = Pick<ControlHandlers, keyof typeof controlAuditRoutes>;

/** The audit log, which is the enclave's, as a tenant may see it, and the report about the enclave. */
export function auditHandlers(parts: BundleParts): AuditHandlers {
  const { enclave } = parts;
  return {
    async queryRecords({ query, caller }) {
      const { limit, offset, ...asked } = query;
      const wanted = { filter: auditFilterOf(caller.tenantId, asked), limit, offset };
      const page = await queryRecords((part) => ask(enclave, 'audit.query', part), wanted);
      return ok({ ...page, limit, offset });
    },

    async getRecord({ params, caller }) {
      const which = { tenantId: caller.tenantId, auditId: params['id'] ?? '' };
      const found = await enclave.call('audit.record', which);
      return found.ok
        ? ok(found.value.reply.record as AuditRecord)
        : refusal('not_found', 'audit record not found');
    },

    createProofBundle: createProofBundle(parts),

    attestationReport: async ({ query: { nonce } }) => ok(await ask(enclave, 'report', { nonce })),
  };
}
