import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { attestation } from '../vault/attestation.ts';
import { auditRoutes } from '../vault/audit-routes.ts';
import { auditRecord } from '../vault/audit-record.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';

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
  attestationReport: {
    method: 'GET',
    path: '/v1/attestation/report',
    auth: 'none',
    summary: 'What the enclave is, vouched for by its hardware where there is any',
    query: z.object({ nonce: auditRoutes.attestationReport.query.shape.nonce }),
    data: attestation,
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
