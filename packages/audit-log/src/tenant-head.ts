import { hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalText } from './chain.ts';
import { signatureText, type Signer, signedBy } from './keys.ts';
import { auditRecord } from '@countersign/protocol/vault/audit-record';

const { tenantId, chainHash, at } = auditRecord.shape;

/** The end of a tenant's chain at a time, signed. An export without its newest records contradicts it. */
export const tenantHead = z.strictObject({
  tenantId,
  seq: z.int().min(0),
  chainHash,
  at,
  signature: signatureText,
});
export type TenantHead = z.infer<typeof tenantHead>;

type Unsigned = Omit<TenantHead, 'signature'>;

/**
 * What the head is given with, and signed along, so that neither can be that of another time: the report that binds the log's key, and
 * the checkpoint (a C2SP signed note). Exports made before the checkpoint was signed along have none here.
 */
type GivenWith = { readonly attestation: unknown; readonly checkpoint?: string | undefined };

export function signTenantHead(head: Unsigned, given: GivenWith, signer: Signer): TenantHead {
  return { ...head, signature: signer.sign(digestOf(head, given)).toString('base64') };
}

export function isHeadSigned({ signature, ...head }: TenantHead, given: GivenWith, key: KeyObject): boolean {
  return signedBy(key, digestOf(head, given), signature);
}

/** SHA-256 of the domain and the RFC 8785 text of all that is signed: the head without its signature, and what it is given with. */
const digestOf = (tenantHead: Unsigned, { attestation, checkpoint }: GivenWith): Buffer =>
  checkpoint === undefined
    ? hash('sha256', `countersign-audit-head-v2${canonicalText({ attestation, tenantHead })}`, 'buffer')
    : hash(
        'sha256',
        `countersign-audit-head-v3${canonicalText({ attestation, checkpoint, tenantHead })}`,
        'buffer',
      );
