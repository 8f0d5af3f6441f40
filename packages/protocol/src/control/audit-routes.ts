import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { attestation } from '../vault/attestation.ts';
import { auditRoutes } from '../vault/audit-routes.ts';
import { auditRecord } from '../vault/audit-record.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';

/** Most records of one proof bundle. */
export const mostBundled = 1000;

const newProofBundle = z
  .strictObject({
    record_ids: z.array(z.string().min(1).max(512)).min(1).max(mostBundled).optional(),
    /** As the records are listed. */
    filter: auditRoutes.queryAudit.query
      .extend({ limit: z.int().min(1).max(mostBundled).optional() })
      .strict()
      .optional(),
  })
  .refine((body) => (body.record_ids === undefined) !== (body.filter === undefined), {
    message: 'is required, or filter in its place, not both',
    path: ['record_ids'],
  });
export type NewProofBundle = z.output<typeof newProofBundle>;

/** The audit log as the vault keeps it, and the report that vouches for its key. */
export const controlAuditRoutes = {
  queryRecords: {
    method: 'GET',
    path: '/v1/audit/records',
    auth: 'key',
    scope: 'read',
    summary: 'Audit records of the tenant, newest first',
    query: auditRoutes.queryAudit.query,
    data: auditRoutes.queryAudit.data,
  },
  getRecord: {
    method: 'GET',
    path: '/v1/audit/records/:id',
    auth: 'key',
    scope: 'read',
    summary: 'One audit record',
    data: auditRecord,
    refusals: ['not_found'],
  },
  createProofBundle: {
    method: 'POST',
    path: '/v1/audit/proof-bundles',
    auth: 'key',
    scope: 'read',
    summary: 'Records with all that proves them in one file, for "countersign audit verify"',
    body: newProofBundle,
    data: z.string(),
    text: 'application/json',
    refusals: ['not_found'],
  },
  attestationReport: {
    method: 'GET',
    path: '/v1/attestation/report',
    auth: 'none',
    summary: 'What the enclave is, vouched for by its hardware where there is any',
    query: z.object({ nonce: auditRoutes.attestationReport.query.shape.nonce }),
    data: attestation,
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
