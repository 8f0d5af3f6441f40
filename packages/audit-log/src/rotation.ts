import { hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { publicKeyText, rawPublicKey, readPublicKey, type Signer, signedBy } from './keys.ts';
import { type AnyDraft, type AuditRecord, signerRotated } from '@countersign/protocol/vault/audit-record';

const detail = z.strictObject({ previousKey: z.string(), key: z.string(), endorsement: z.string() });

/**
 * The draft by which a tenant's chain goes over to a new key. The new key signs it and names the old one, which
 * endorses the new one: whoever trusts either can trust the other.
 */
export function rotationDraft(tenantId: string, logId: Uint8Array, from: Signer, to: Signer): AnyDraft {
  const endorsement = from.sign(statement(logId, to.publicKey)).toString('base64');
  const keys = { previousKey: publicKeyText(from.publicKey), key: publicKeyText(to.publicKey) };
  return {
    tenantId,
    eventType: signerRotated,
    actor: 'countersign:audit-log',
    detail: { ...keys, endorsement },
  };
}

export type Rotation = { readonly previousKey: KeyObject; readonly key: KeyObject };

/**
 * The change of keys that a record tells of, with the old key's endorsement seen to be good; null when it is none.
 * Which log was endorsed nobody knows where `logId` is null: the endorsement is not looked at.
 */
export function rotationOf(record: AuditRecord, logId: Uint8Array | null): Rotation | null {
  if (record.eventType !== signerRotated) return null;
  const parsed = detail.safeParse(record.detail);
  if (!parsed.success) return null;
  const previousKey = readPublicKey(parsed.data.previousKey);
  const key = readPublicKey(parsed.data.key);
  if (previousKey === null || key === null) return null;
  const isEndorsed = logId === null || signedBy(previousKey, statement(logId, key), parsed.data.endorsement);
  return isEndorsed ? { previousKey, key } : null;
}

/** Names the log, so that an endorsement for one log is none for another. */
const statement = (logId: Uint8Array, key: KeyObject): Buffer =>
  hash('sha256', Buffer.concat([domain, logId, rawPublicKey(key)]), 'buffer');

const domain = Buffer.from('countersign-audit-key-v1');
