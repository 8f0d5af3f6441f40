import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { attestation } from './attestation.ts';
import { auditRecord } from './audit-record.ts';
import type { VaultCode } from './codes.ts';
import type { VaultAuth } from './dialect.ts';

const when = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
const id = z.string().min(1).max(512);
const size = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The audit log and its proofs (spec: vault.audit), and the report that vouches for its key. */
export const auditRoutes = {
  queryAudit: {
    method: 'GET',
    path: '/api/v1/audit/logs',
    auth: 'bearer',
    scope: 'audit:read',
    summary:
      'List the tenant’s audit records, newest first; filter by session, agent, person or token, credential or time',
    query: z.object({
      sessionId: id.optional(),
      agentDid: id.optional(),
      credentialId: id.optional(),
      /** `actor` as records have it: `user:NAME` is a person who logged in; or `token:ID` for all that a token did. */
      actor: id.optional(),
      /** ISO 8601, both inclusive; without an offset UTC. */
      from: when.optional(),
      to: when.optional(),
      limit: z.int().min(1).max(1000).default(50),
      offset: z.int().min(0).max(1_000_000_000).default(0),
    }),
    data: z.object({ items: z.array(auditRecord), total: z.int(), limit: z.int(), offset: z.int() }),
  },
  verifyAudit: {
    method: 'POST',
    path: '/api/v1/audit/logs/:id/verify',
    auth: 'bearer',
    scope: 'audit:read',
    summary: 'Recompute signature, chain and Merkle path of one record from storage',
    data: z.object({
      auditId: z.string(),
      signatureValid: z.boolean(),
      chainHashValid: z.boolean(),
      merklePathValid: z.boolean(),
    }),
    refusals: ['not_found'],
  },
  auditProof: {
    method: 'GET',
    path: '/api/v1/audit/logs/:id/proof',
    auth: 'bearer',
    scope: 'audit:read',
    summary: 'Get a C2SP tlog-proof of one record; its extra line holds the record',
    data: z.string(),
    text: 'text/plain',
    refusals: ['not_found'],
  },
  auditCheckpoint: {
    method: 'GET',
    path: '/api/v1/audit/checkpoint',
    auth: 'bearer',
    scope: 'audit:read',
    summary: 'Get the log’s newest checkpoint, a C2SP signed note',
    data: z.string(),
    text: 'text/plain',
  },
  auditConsistency: {
    method: 'GET',
    path: '/api/v1/audit/consistency',
    auth: 'bearer',
    scope: 'audit:read',
    summary: 'Get an RFC 6962 consistency proof that a tree of one size is a prefix of a larger one',
    query: z.object({ from: size.min(1), to: size.min(1) }),
    data: z.object({ from: size, to: size, hashes: z.array(z.base64()) }),
  },
  exportAudit: {
    method: 'GET',
    path: '/api/v1/audit/export',
    auth: 'bearer',
    scope: 'audit:read',
    summary:
      'Export every record of the tenant, oldest first, as JSON lines; the last line is {checkpoint, tenantHead, attestation}',
    data: auditRecord,
    text: 'application/jsonl',
  },
  attestationReport: {
    method: 'GET',
    path: '/api/v1/attestation/report',
    auth: 'none',
    summary: 'Attestation evidence of the enclave, signed by its hardware where there is any',
    query: z.object({
      nonce: z
        .string()
        .max(256)
        .regex(/^(?:[0-9a-fA-F]{2})*$/, 'must be hex')
        .default(''),
    }),
    data: attestation,
  },
} as const satisfies RouteTable<VaultCode, VaultAuth>;
