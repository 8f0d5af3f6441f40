import { randomUUID } from 'node:crypto';
import type { NewControlCredential } from '@countersign/protocol/control/credential-routes';
import { ok } from '@countersign/protocol/result';
import { holdRoot } from '@countersign/service/root-lock';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import type { Answer } from '../refusal.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { dueAt } from './due-date.ts';
import { oneValue, sealAs, secretOf, shownAbout, whyNotSealed } from './seal.ts';
import { type Credential, insertCredential } from './store.ts';

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
    const secret = secretOf(body.type, body);
    if (secret === null) return oneValue;
    const about = newCredential(body, caller, now());
    return inTransaction(pool, async (db): Promise<Answer<ReturnType<typeof showNew>>> => {
      await holdRoot(db);
      const sealed = await sealAs(enclave, about, secret, 1);
      if (!sealed.ok) return whyNotSealed(sealed.error);
      const { binding, envelope } = sealed.value;
      const credential = { ...about, ...shownAbout(sealed.value) };
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

type Sealed = Omit<Credential, 'policyId'>;

const newCredential = (
  body: NewControlCredential,
  caller: Caller,
  now: Date,
): Omit<Sealed, 'fingerprint' | 'certificateExpiresAt'> => ({
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
  version: 1,
  newestVersion: 1,
  valueAt: now,
  rotationDueAt: dueAt(body.rotation_policy ?? null, now),
  rotation: null,
});

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
  certificate_expires_at: credential.certificateExpiresAt?.toISOString() ?? null,
});
