import type { CredentialMetadata } from '@countersign/protocol/control/credential-routes';
import { ok } from '@countersign/protocol/result';
import { holdRoot } from '@countersign/service/root-lock';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { servicesUsing } from '../connectors/store.ts';
import { ask, type Enclave } from '../enclave.ts';
import { type Answer, refusal } from '../refusal.ts';
import { move } from '../rotations/settle.ts';
import { holdOpen, type StoredRotation } from '../rotations/store.ts';
import { underWay } from '../rotations/under-way.ts';
import type { CredentialParts } from './create.ts';
import {
  keptAsOther,
  nextSecretOf,
  oneValue,
  sealAs,
  type Secret,
  shownAbout,
  whyNotSealed,
} from './seal.ts';
import { noSuchCredential, showCredential } from './show.ts';
import { holdCredential, removeCredential, useValue } from './held.ts';
import { type Credential, findSealed } from './store.ts';

/** Puts a new value in the place of the old one, once the record of that is on disk. */
export const putCredentialValue =
  (parts: CredentialParts): ControlHandlers['putCredentialValue'] =>
  ({ params: { id = '' }, body, caller }) =>
    inTransaction(parts.pool, async (db): Promise<Answer<CredentialMetadata>> => {
      const { enclave, now } = parts;
      await holdRoot(db);
      const credential = isUuid(id) ? await holdCredential(db, caller.tenantId, id) : null;
      if (credential === null) return noSuchCredential;
      const open = await holdOpen(db, credential.id);
      if (open !== null && open.state !== 'unresolved') return underWay(open);
      const current = await findSealed(db, caller.tenantId, id);
      if (current === null) throw new Error('a credential that is held is gone');
      const keptAs = current.binding.type;
      const secret = nextSecretOf({ kind: credential.kind, keptAs }, body);
      if (secret === null) return oneValue;
      const sealed = await sealNext(enclave, credential, keptAs, secret).finally(() => secret.bytes.fill(0));
      if (!sealed.ok) return sealed;
      const { binding, envelope } = sealed.value;
      const next = { binding, envelope, ...shownAbout(sealed.value) };
      const about = { version: binding.version, fingerprint: next.fingerprint, because: 'put' };
      await ask(enclave, 'control.record', {
        draft: recordOf('credential_updated', credential, caller, {
          ...about,
          before: credential.fingerprint,
        }),
      });
      await supersede(parts, db, { credential, rotation: open }, actorOf(caller));
      return ok(showCredential(await useValue(db, credential, next, now())));
    });

/** Sealed as what it is kept as until now; refused where it is something else. */
async function sealNext(enclave: Enclave, credential: Credential, type: CredentialType, secret: Secret) {
  if (secret.types.length === 0) return keptAsOther(type);
  const sealed = await sealAs(enclave, credential, secret, credential.newestVersion + 1);
  if (sealed.ok) return sealed;
  const { code, field } = sealed.error;
  return code === 'INVALID_PLAINTEXT' && field !== 'certificate'
    ? keptAsOther(type)
    : whyNotSealed(sealed.error);
}

/** Gone once the record of it is on disk; refused as long as a connector needs it. */
export const deleteCredential =
  (parts: CredentialParts): ControlHandlers['deleteCredential'] =>
  ({ params: { id = '' }, caller }) =>
    inTransaction(parts.pool, async (db): Promise<Answer<{ credential_id: string; deleted: true }>> => {
      const credential = isUuid(id) ? await holdCredential(db, caller.tenantId, id) : null;
      if (credential === null) return noSuchCredential;
      const services = await servicesUsing(db, credential);
      if (services.length > 0) return inUse(services);
      const open = await holdOpen(db, credential.id);
      if (open !== null && open.state !== 'unresolved') return underWay(open);
      await supersede(parts, db, { credential, rotation: open }, actorOf(caller));
      const { version, fingerprint } = credential;
      await ask(parts.enclave, 'control.record', {
        draft: recordOf('credential_deleted', credential, caller, { version, fingerprint }),
      });
      await removeCredential(db, id);
      return ok({ credential_id: id, deleted: true as const });
    });

/** Ends a rotation that is still open: the new value replaces whatever its outcome would have been. */
async function supersede(
  parts: CredentialParts,
  db: Queryable,
  { credential, rotation }: { readonly credential: Credential; readonly rotation: StoredRotation | null },
  actor: string,
): Promise<void> {
  if (rotation !== null) await move(parts, db, { credential, rotation }, { of: 'credential' }, actor);
}

const inUse = (services: readonly string[]) =>
  refusal(
    'credential_in_use',
    'connectors use it: delete them first, or replace them with connectors that use another credential',
    { services },
  );

const recordOf = (
  eventType: 'credential_updated' | 'credential_deleted',
  { id, tenantId, namespace, label, kind: type }: Credential,
  caller: Caller,
  detail: object,
) => ({
  eventType,
  tenantId,
  credentialId: id,
  actor: actorOf(caller),
  detail: { namespace, label, type, ...detail },
});
