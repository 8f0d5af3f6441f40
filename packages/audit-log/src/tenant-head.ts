import { hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalText } from './chain.ts';
import { type Signer, signedBy } from './keys.ts';
import { auditRecord } from '@countersign/protocol/vault/audit-record';

const { tenantId, chainHash, at, signature } = auditRecord.shape;

/** Where a tenant's chain ends at a time, signed: an export whose newest records were dropped contradicts it. */
export const tenantHead = z.strictObject({ tenantId, seq: z.int().min(0), chainHash, at, signature });
export type TenantHead = z.infer<typeof tenantHead>;

export function signTenantHead(head: Omit<TenantHead, 'signature'>, signer: Signer): TenantHead {
  return { ...head, signature: signer.sign(digestOf(head)).toString('base64') };
}

export function isHeadSigned({ signature, ...head }: TenantHead, key: KeyObject): boolean {
  return signedBy(key, digestOf(head), signature);
}

/** SHA-256 of the domain and the RFC 8785 text of the head without its signature; that is what is signed. */
const digestOf = (head: Omit<TenantHead, 'signature'>): Buffer =>
  hash('sha256', `countersign-audit-head-v1${canonicalText(head)}`, 'buffer');
