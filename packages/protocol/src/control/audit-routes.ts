import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { attestation } from '../vault/attestation.ts';
import { auditRoutes } from '../vault/audit-routes.ts';
import { auditRecord, eventType } from '../vault/audit-record.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { name } from './fields.ts';

/** The filters for records. */
const auditQuery = auditRoutes.queryAudit.query.extend({
  /** These four as they stand in `detail`. */
  execution_id: z.uuid().optional(),
  policy_id: name.optional(),
  user_id: name.optional(),
  service: name.optional(),
  /** Such as `execution_ended`. */
  event_type: eventType.optional(),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** Most records of one proof bundle. */
export const maxBundled = 1000;

const newProofBundle = z
  .strictObject({
    record_ids: z.array(z.string().min(1).max(512)).min(1).max(maxBundled).optional(),
    /** All records of this execution. */
    execution_id: z.uuid().optional(),
    filter: auditQuery
      .extend({ limit: z.int().min(1).max(maxBundled).optional() })
      .strict()
      .optional(),
  })
  .refine(
    ({ record_ids, execution_id, filter }) =>
      [record_ids, execution_id, filter].filter((one) => one !== undefined).length === 1,
    {
      message: 'is required, or execution_id or filter instead; give only one of them',
      path: ['record_ids'],
    },
  );
export type NewProofBundle = z.output<typeof newProofBundle>;

/** The audit log as the vault keeps it, and the report that vouches for its key. */
export const controlAuditRoutes = {
  queryRecords: {
    method: 'GET',
    path: '/v1/audit/records',
    auth: 'key',
    scope: 'read',
    summary: 'List the tenant’s audit records, newest first',
    query: auditQuery,
    data: auditRoutes.queryAudit.data,
  },
  getRecord: {
    method: 'GET',
    path: '/v1/audit/records/:id',
    auth: 'key',
    scope: 'read',
    summary: 'Get an audit record',
    data: auditRecord,
    refusals: ['not_found'],
  },
  createProofBundle: {
    method: 'POST',
    path: '/v1/audit/proof-bundles',
    auth: 'key',
    scope: 'read',
    summary: 'Export records and their proofs as one file, for "countersign audit verify"',
    body: newProofBundle,
    data: z.string(),
    text: 'application/json',
    refusals: ['not_found'],
  },
  attestationReport: {
    method: 'GET',
    path: '/v1/attestation/report',
    auth: 'none',
    summary: 'Attestation evidence of the enclave, signed by its hardware where there is any',
    query: z.object({ nonce: auditRoutes.attestationReport.query.shape.nonce }),
    data: attestation,
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
