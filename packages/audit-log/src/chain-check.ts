import type { KeyObject } from 'node:crypto';
import { bodyTextOf, chainHashOf, firstPrevChainHash, recordText, type SealedRecord } from './chain.ts';
import { readBase64, signedBy } from './keys.ts';
import { type AuditRecord, auditRecord, maxRecordBytes } from '@countersign/protocol/vault/audit-record';

/** The ways in which a record can be wrong at its place in a chain. */
export type LinkProblem =
  | 'unreadable'
  | 'other-tenant'
  | 'seq'
  | 'leaf-order'
  | 'prev-chain-hash'
  | 'chain-hash'
  | 'signature';

/** The record of a text that is exactly its RFC 8785 text, so that no byte can be another; null for anything else. */
export function readRecord(text: string): SealedRecord | null {
  try {
    if (Buffer.byteLength(text) > maxRecordBytes) return null;
    const { success, data: record } = auditRecord.safeParse(JSON.parse(text));
    const isOurs = success && isNamedByPlace(record) && readBase64(record.signature, 64) !== null;
    return isOurs && recordText(record) === text ? { record, text } : null;
  } catch {
    return null;
  }
}

const isNamedByPlace = ({ auditId, leafIndex }: AuditRecord): boolean =>
  /^aud_[0-9a-f]{8}_/.test(auditId) && auditId.slice(logPrefixLength) === String(leafIndex);

const logPrefixLength = 'aud_01234567_'.length;

/** Returns the prefix that all record ids of one log share. */
export const logPrefixOf = ({ auditId }: AuditRecord): string => auditId.slice(0, logPrefixLength);

type Place = Pick<AuditRecord, 'tenantId' | 'seq' | 'leafIndex' | 'chainHash'>;

/** The start of a tenant's chain. */
export const beforeFirst = (tenantId: string): Place => ({
  tenantId,
  seq: 0,
  leafIndex: -1,
  chainHash: firstPrevChainHash,
});

/**
 * Returns whether the record follows the one before it in its tenant's chain; null when it does. Signatures
 * are another matter.
 */
export function linkProblem(sealed: SealedRecord, before: Place): LinkProblem | null {
  const { record } = sealed;
  if (record.tenantId !== before.tenantId) return 'other-tenant';
  if (record.seq !== before.seq + 1) return 'seq';
  if (record.leafIndex <= before.leafIndex) return 'leaf-order';
  if (record.prevChainHash !== before.chainHash) return 'prev-chain-hash';
  if (record.seq === 1 && record.prevChainHash !== firstPrevChainHash) return 'prev-chain-hash';
  const digest = chainHashOf(record.prevChainHash, bodyTextOf(sealed));
  return digest.toString('hex') === record.chainHash ? null : 'chain-hash';
}

/** Returns whether `key` signed the chain hash that the record states. */
export const isSigned = (record: AuditRecord, key: KeyObject): boolean =>
  signedBy(key, Buffer.from(record.chainHash, 'hex'), record.signature);
