import type { Streamed } from '@countersign/service/http';
import { ok } from '@countersign/protocol/result';
import { actorOf, type Caller, type VaultHandlers } from '../callers.ts';
import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { type Answer, refusal } from '../refusal.ts';
import { noSuchCredential, type Reached } from './reached.ts';
import { envelopeOf } from './envelope-row.ts';
import { bindingOf, type SealedCredential } from './store.ts';

/** Decrypts in the enclave, which records the access first. */
export const decryptHandler =
  (reached: Reached, enclave: Enclave, now: () => Date): VaultHandlers['decryptCredential'] =>
  async ({ params, body, caller }) => {
    const credential = await reached(caller, params);
    if (credential === null) return noSuchCredential;
    if (credential.expiresAt !== null && credential.expiresAt <= now())
      return refusal('credential_expired', 'the credential has expired');
    const opened = await openFor(enclave, credential, caller, body);
    if (opened !== 'not-opened') return opened;
    // It may have been put under a new root secret since it was read.
    const fresh = await reached({ ...caller, ahead: null }, params);
    const again = fresh === null ? noSuchCredential : await openFor(enclave, fresh, caller, body);
    if (again === 'not-opened') throw new EnclaveFailed('open', { code: 'CANNOT_DECRYPT' });
    return again;
  };

async function openFor(
  enclave: Enclave,
  credential: SealedCredential,
  caller: Caller,
  { reason, recipient_public_key }: { reason: string; recipient_public_key?: string | undefined },
): Promise<Answer<{ id: string; sealed_data: string; audit_id: string }> | Streamed | 'not-opened'> {
  const opened = await enclave.call('open', {
    binding: bindingOf(credential),
    envelope: envelopeOf(credential),
    actor: actorOf(caller),
    reason,
    ...(caller.agentDid !== null && { agentDid: caller.agentDid }),
    ...(recipient_public_key !== undefined && { recipientPublicKey: recipient_public_key }),
  });
  if (!opened.ok && opened.error.field === 'recipient_public_key')
    return refusal(
      'invalid_request',
      'recipient_public_key: must be an uncompressed point of P-256 in base64',
    );
  if (!opened.ok && opened.error.code === 'CANNOT_DECRYPT') return 'not-opened';
  if (!opened.ok && opened.error.code === 'INVALID_PLAINTEXT')
    return refusal('invalid_request', 'the proof in credential_json is not valid');
  if (!opened.ok) throw new EnclaveFailed('open', opened.error);
  const { reply, body } = opened.value;
  if (recipient_public_key === undefined) return plainAnswer(credential.id, reply.auditId, body);
  return ok({ id: credential.id, sealed_data: body.toString('base64'), audit_id: reply.auditId });
}

/** The answer around a plaintext, which stays bytes: it never becomes a text here, and is wiped once it is sent. */
function plainAnswer(id: string, auditId: string, plaintext: Buffer): Streamed {
  const before = Buffer.from(`{"id":${JSON.stringify(id)},"plaintext_data":`);
  const after = Buffer.from(`,"audit_id":${JSON.stringify(auditId)}}`);
  // Not of the pool that buffers share.
  const stream = Buffer.allocUnsafeSlow(before.length + plaintext.length + after.length);
  before.copy(stream);
  plaintext.copy(stream, before.length);
  after.copy(stream, before.length + plaintext.length);
  plaintext.fill(0);
  return { ok: true, stream, headers: { 'content-type': 'application/json' } };
}
