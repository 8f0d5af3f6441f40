import { randomUUID } from 'node:crypto';
import type { NewControlCredential } from '@countersign/protocol/control/credential-routes';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import { holdRoot } from '@countersign/service/root-lock';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { type Answer, refusal } from '../refusal.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { bound, type Credential, insertCredential } from './store.ts';

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
    const binding = { tenantId: about.tenantId, credentialId: about.id, ...bound(about) };
    return inTransaction(pool, async (db): Promise<Answer<ReturnType<typeof showNew>>> => {
      await holdRoot(db);
      const sealed = await enclave.call('seal', { binding, sealed: secret.sealed }, secret.bytes);
      if (!sealed.ok) return whyNotSealed(sealed.error);
      const { envelope, fingerprint: keyed } = sealed.value.reply;
      const credential = { ...about, fingerprint: keyed.replace(/^hmac-/, '') };
      await insertCredential(db, credential, envelope);
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

/** What the enclave gets, or null where a body has both forms or none. The bytes are the caller's to wipe. */
function secretOf({ value, sealed_value }: NewControlCredential) {
  if ((value === undefined) === (sealed_value === undefined)) return null;
  return sealed_value === undefined
    ? { sealed: false, bytes: Buffer.from(JSON.stringify({ key: value })) }
    : { sealed: true, bytes: Buffer.from(sealed_value, 'base64') };
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
    'sealed_value: must be {"key": value} sealed to sealPublicKey of the attestation report (RFC 9180)',
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
