import { hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalText } from './chain.ts';
import { type Signer, signedBy } from './keys.ts';
import { auditRecord } from '@countersign/protocol/vault/audit-record';

const { tenantId, chainHash, at, signature } = auditRecord.shape;

/** Where a tenant's chain ends at a time, signed: an export whose newest records were dropped contradicts it. */
export const tenantHead = z.strictObject({ tenantId, seq: z.int().min(0), chainHash, at, signature });
export type TenantHead = z.infer<typeof tenantHead>;

type Unsigned = Omit<TenantHead, 'signature'>;

/** `attestation` is the report that the head is given with: signed along, so that no byte of it can be another. */
export function signTenantHead(head: Unsigned, attestation: unknown, signer: Signer): TenantHead {
  return { ...head, signature: signer.sign(digestOf(head, attestation)).toString('base64') };
}

export function isHeadSigned(
  { signature, ...head }: TenantHead,
  attestation: unknown,
  key: KeyObject,
): boolean {
  return signedBy(key, digestOf(head, attestation), signature);
}

/** SHA-256 of the domain and the RFC 8785 text of the report and the head without its signature; that is what is signed. */
const digestOf = (tenantHead: Unsigned, attestation: unknown): Buffer =>
  hash('sha256', `countersign-audit-head-v2${canonicalText({ attestation, tenantHead })}`, 'buffer');
