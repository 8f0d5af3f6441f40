import { createHash } from 'node:crypto';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok, type Result } from '@countersign/protocol/result';
import type { LeftOnce, MediaType, WhatLeft } from '@countersign/protocol/vault/left';
import type { PageRequest } from '@countersign/protocol/vault/sandbox';
import { hkdf, withSecret } from '../keys/hkdf.ts';
import type { Who } from './records.ts';
import type { Session } from './session.ts';

/** `fingerprintKey` derives the salts of digests; it never leaves the enclave. */
export type LeftParts = { readonly fingerprintKey: Buffer };

type Leaving = {
  readonly what: LeftOnce['what'];
  readonly mediaType: MediaType;
  readonly operationId: string;
  /** Id of the record that was on disk before anything left. */
  readonly intent: string;
  readonly bytes: Uint8Array;
};

/** Tells whoever follows the session what left it besides answers of operations, once that is on record. */
export const tellLeft = (
  session: Session,
  { actor, agentDid }: Who,
  asked: { readonly operationId: string; readonly operation: PageRequest; readonly intent: string },
  left: WhatLeft,
): void =>
  session.tell({
    type: 'content.left',
    at: session.at(),
    operation_id: asked.operationId,
    actor,
    agent_did: agentDid ?? null,
    operation: asked.operation,
    audit_id: asked.intent,
    left,
  });

/** Records what is about to be returned, and resolves when the record is on disk. */
export async function recordLeft(
  session: Session,
  parts: LeftParts,
  who: Who,
  { what, mediaType, operationId, intent, bytes }: Leaving,
): Promise<Result<LeftOnce, EnclaveRefusal>> {
  const page = await session.pageAddress();
  const { sha256, salt, saltedSha256 } = digestsOf(parts, session, operationId, bytes);
  const size = bytes.length;
  const recorded = await session.record({
    eventType: 'content_left',
    who,
    detail: { what, mediaType, page, bytes: size, saltedSha256, operationId, intent },
  });
  return recorded.ok
    ? ok({ audit_id: recorded.value, what, media_type: mediaType, page, bytes: size, sha256, salt })
    : recorded;
}

/**
 * For whoever got the bytes their hash and a salt; for the record a hash over both. Without the salt, which the record does not tell,
 * nobody can try what a short text may have been.
 */
export function digestsOf(
  { fingerprintKey }: LeftParts,
  { about: { tenantId } }: Pick<Session, 'about'>,
  id: string,
  bytes: Uint8Array,
) {
  const salt = withSecret(hkdf(fingerprintKey, `countersign-vault-v1/left/${tenantId}/${id}`), (made) =>
    Buffer.from(made),
  );
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    salt: salt.toString('hex'),
    saltedSha256: createHash('sha256').update(salt).update(bytes).digest('hex'),
  };
}
