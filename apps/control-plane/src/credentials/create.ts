import { randomUUID } from 'node:crypto';
import type { NewControlCredential } from '@countersign/protocol/control/credential-routes';
import { heldSecret, typesOfSealed } from '@countersign/protocol/control/held-secret';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok } from '@countersign/protocol/result';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { holdRoot } from '@countersign/service/root-lock';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { type Answer, refusal } from '../refusal.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { bindingOf, type Credential, insertCredential } from './store.ts';

export type CredentialParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly webhooks: Pick<Webhooks, 'emit'>;
  readonly now: () => Date;
};

/** Keeps a credential that the enclave has sealed, once its record is on disk. */
export const createCredential =
  ({ pool, enclave, webhooks, now }: CredentialParts): ControlHandlers['createCredential'] =>
  async ({ body, caller }) => {
    const secret = secretOf(body);
    if (secret === null)
      return refusal('invalid_request', 'value: is required, or sealed_value in its place, not both');
    const about = newCredential(body, caller, now());
    return inTransaction(pool, async (db): Promise<Answer<ReturnType<typeof showNew>>> => {
      await holdRoot(db);
      const sealed = await sealAs(enclave, about, secret);
      if (!sealed.ok) return whyNotSealed(sealed.error);
      const { binding, envelope, fingerprint: keyed } = sealed.value;
      const credential = { ...about, fingerprint: keyed.replace(/^hmac-/, '') };
      await insertCredential(db, credential, binding, envelope);
      await ask(enclave, 'control.record', { draft: recordOf(credential, caller) });
      const { id: credential_id, tenantId, namespace, label } = credential;
      await webhooks.emit(db, {
        type: 'credential.created',
        tenantId,
        data: { credential_id, namespace, label },
      });
      return ok(showNew(credential));
    }).finally(() => secret.bytes.fill(0));
  };

type Secret = {
  /** As which it may be kept, in the order in which they are tried. */
  readonly types: readonly CredentialType[];
  readonly sealed: boolean;
  readonly bytes: Buffer;
};

/** What the enclave gets, or null where a body has both forms or none. The bytes are the caller's to wipe. */
function secretOf({ type, value, sealed_value }: NewControlCredential): Secret | null {
  if ((value === undefined) === (sealed_value === undefined)) return null;
  if (value === undefined)
    return { types: typesOfSealed(type), sealed: true, bytes: Buffer.from(sealed_value ?? '', 'base64') };
  const held = heldSecret(type, value);
  return { types: [held.type], sealed: false, bytes: Buffer.from(JSON.stringify(held.data)) };
}

/** Seals it as the first of its types that it fits; else what the enclave said last. */
async function sealAs(enclave: Enclave, about: Parameters<typeof bindingOf>[0], secret: Secret) {
  let refused: EnclaveRefusal = { code: 'INVALID_PLAINTEXT' };
  for (const type of secret.types) {
    const binding = bindingOf(about, type);
    const sealed = await enclave.call('seal', { binding, sealed: secret.sealed }, secret.bytes);
    if (sealed.ok) return ok({ binding, ...sealed.value.reply });
    refused = sealed.error;
    if (refused.code !== 'INVALID_PLAINTEXT') break;
  }
  return fail(refused);
}

type Sealed = Omit<Credential, 'policyId'>;

const newCredential = (
  body: NewControlCredential,
  caller: Caller,
  now: Date,
): Omit<Sealed, 'fingerprint'> => ({
  id: randomUUID(),
  tenantId: caller.tenantId,
  namespace: body.namespace,
  label: body.label,
  kind: body.type,
  sensitivity: body.sensitivity,
  rotationPolicy: body.rotation_policy ?? null,
  tags: body.tags ?? null,
  createdBy: caller.name,
  createdAt: now,
});

function whyNotSealed({ code }: EnclaveRefusal) {
  if (code !== 'INVALID_PLAINTEXT' && code !== 'CANNOT_UNSEAL')
    throw new Error(`the enclave refused seal: ${code}`);
  return refusal(
    'invalid_request',
    'sealed_value: must be {"key": value}, or the fields of its type, sealed to sealPublicKey of the attestation report (RFC 9180)',
  );
}

const recordOf = ({ id, namespace, label, kind, sensitivity, fingerprint }: Sealed, caller: Caller) => ({
  eventType: 'credential_created' as const,
  tenantId: caller.tenantId,
  credentialId: id,
  actor: actorOf(caller),
  detail: { namespace, label, type: kind, sensitivity, fingerprint },
});

export const showNew = (credential: Sealed) => ({
  credential_id: credential.id,
  namespace: credential.namespace,
  label: credential.label,
  sensitivity: credential.sensitivity,
  created_at: credential.createdAt.toISOString(),
  fingerprint: credential.fingerprint,
});
