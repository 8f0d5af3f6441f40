import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Signer } from './keys.ts';
import type { AuditRecord, RecordBody } from '@countersign/protocol/vault/audit-record';

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
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('this value has no RFC 8785 text');
  return text;
}

/**
 * The text of what is hashed and signed: the record's RFC 8785 text without two of its members. In that order only
 * strings and ids stand before `chainHash` and after `signature`, and in a string no quotation mark stands bare.
 */
export function bodyTextOf({ record, text }: SealedRecord): string {
  const hash = `,"chainHash":"${record.chainHash}"`;
  const signature = `,"signature":"${record.signature}"`;
  const [from, to] = [text.indexOf(hash), text.lastIndexOf(signature)];
  return text.slice(0, from) + text.slice(from + hash.length, to) + text.slice(to + signature.length);
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
  const pieces = piecesOf(body);
  const digest = chainHashOf(body.prevChainHash, `{${pieces.join(',')}}`);
  const chainHash = digest.toString('hex');
  return {
    digest,
    signedWith: (bytes) => {
      const record = { ...body, chainHash, signature: bytes.toString('base64') };
      return { record, text: joined(pieces, record) };
    },
  };
}

/** Chains and signs a record. Throws what the signer throws, too. */
export function seal(body: RecordBody, signer: Signer): SealedRecord {
  const chained = chain(body);
  return chained.signedWith(signer.sign(chained.digest));
}

/** The RFC 8785 text of a record. */
export const recordText = (record: AuditRecord): string => joined(piecesOf(record), record);

type Pieces = readonly [first: string, middle: string, last: string];

const joined = ([first, middle, last]: Pieces, { chainHash, signature }: AuditRecord): string =>
  `{${first},"chainHash":"${chainHash}",${middle},"signature":"${signature}",${last}}`;

/**
 * Returns the text around `chainHash` and `signature`. For ids and integers, JSON.stringify yields the
 * canonical form, and is faster.
 */
function piecesOf(body: RecordBody): Pieces {
  const { actor, agentDid, at, auditId, credentialId, detail, eventType, leafIndex } = body;
  const { prevChainHash, seq, sessionId, tee, tenantId } = body;
  const credential = credentialId === undefined ? '' : `${members({ credentialId })},`;
  const later = members({ eventType, leafIndex, prevChainHash, seq, sessionId });
  return [
    members({ actor, agentDid, at, auditId }),
    `${credential}"detail":${canonicalText(detail)},${later}`,
    members({ tee: { kind: tee.kind, trust: tee.trust }, tenantId }),
  ];
}

const members = (object: object): string => JSON.stringify(object).slice(1, -1);
