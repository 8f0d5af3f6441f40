import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Signer } from './keys.ts';
import type { AuditRecord, RecordBody } from './record.ts';

/** `prevChainHash` of a tenant's first record. */
export const firstPrevChainHash = '0'.repeat(64);

const domain = Buffer.from('countersign-audit-v1');

/**
 * The 32 bytes of a record's `chainHash`: SHA-256 of the domain, the 32 bytes of `prevChainHash` and the RFC 8785
 * text of the record without `chainHash` and `signature`.
 */
export const chainHashOf = (prevChainHash: string, bodyText: string): Buffer =>
  hash('sha256', Buffer.concat([domain, Buffer.from(prevChainHash, 'hex'), Buffer.from(bodyText)]), 'buffer');

/** The RFC 8785 text of JSON. Throws on what has none: a lone surrogate, a number that is not finite. */
export function canonicalText(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('this value has no RFC 8785 text');
  return text;
}

/** RFC 8785 text of what is hashed and signed of a record. */
export function bodyTextOf({ chainHash: _hash, signature: _signature, ...body }: AuditRecord): string {
  return canonicalText(body);
}

export type SealedRecord = {
  readonly record: AuditRecord;
  /** RFC 8785 text of the record: what is stored, and the leaf of the tree. */
  readonly text: string;
};

export type ChainedRecord = {
  /** The 32 bytes to sign. */
  readonly digest: Buffer;
  readonly signedWith: (signature: Buffer) => SealedRecord;
};

/** Chains a record to the one before it. Throws on a `detail` that has no RFC 8785 text. */
export function chain(body: RecordBody): ChainedRecord {
  const { actor, agentDid, at, auditId, tee, tenantId, ...between } = body;
  // In the order of RFC 8785, so that each member is written once for both texts; verifying writes both anew.
  const first = members({ actor, agentDid, at, auditId });
  const middle = members(between);
  const last = members({ tee, tenantId });
  const digest = chainHashOf(body.prevChainHash, `{${first},${middle},${last}}`);
  const chainHash = digest.toString('hex');
  return {
    digest,
    signedWith: (bytes) => {
      const signature = bytes.toString('base64');
      return {
        record: { ...body, chainHash, signature },
        text: `{${first},"chainHash":"${chainHash}",${middle},"signature":"${signature}",${last}}`,
      };
    },
  };
}

/** Chains and signs a record. Throws what the signer throws, too. */
export function seal(body: RecordBody, signer: Signer): SealedRecord {
  const chained = chain(body);
  return chained.signedWith(signer.sign(chained.digest));
}

const members = (object: object): string => canonicalText(object).slice(1, -1);
