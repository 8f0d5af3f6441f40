import { randomUUID } from 'node:crypto';
import { ok } from '@countersign/protocol/result';
import type { CredentialInfo, NewCredential } from '@countersign/protocol/vault/credential-routes';
import { holdRoot } from '@countersign/service/root-lock';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { actorOf, type Caller, isPerson, type VaultHandlers } from '../callers.ts';
import type { Enclave } from '../enclave.ts';
import { type Answer, refusal } from '../refusal.ts';
import { decryptHandler } from './decrypt.ts';
import { noSuchCredential, type Reached } from './reached.ts';
import { recordChange } from './record.ts';
import { putCredentialValue } from './put-value.ts';
import { onePlaintext, plaintextOf, whyNotSealed } from './sealing.ts';
import { named, showCredential } from './show.ts';
import {
  bindingOf,
  type Credential,
  deleteCredential,
  holdAllowedUrls,
  insertCredential,
  listCredentials,
  setAllowedUrls,
} from './store.ts';
import { tellSessions } from './tell-sessions.ts';
import { useHandlers } from './uses.ts';

type CredentialParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly reached: Reached;
  readonly now: () => Date;
};

type CredentialHandlers = Pick<
  VaultHandlers,
  | 'createCredential'
  | 'listCredentials'
  | 'getCredential'
  | 'updateCredential'
  | 'putCredentialValue'
  | 'listCredentialUses'
  | 'deleteCredentialUse'
  | 'deleteCredential'
  | 'decryptCredential'
>;

/** Credentials: what is told of them is ours, what is in them the enclave's. */
export function credentialHandlers({ pool, enclave, reached, now }: CredentialParts): CredentialHandlers {
  return {
    async createCredential({ body, caller }) {
      if (caller.credentialIds !== null)
        return refusal('insufficient_scope', 'the token is limited to the credentials it lists');
      const about = newCredential(body, caller, now());
      const plaintext = plaintextOf(body);
      if (plaintext === null) return onePlaintext;
      const request = { binding: bindingOf(about), sealed: plaintext.sealed };
      return inTransaction(pool, async (db): Promise<Answer<CredentialInfo>> => {
        await holdRoot(db);
        const sealed = await enclave.call('seal', request, plaintext.bytes);
        if (!sealed.ok) return whyNotSealed(sealed.error, plaintext.sealed, about.type);
        const { envelope, fingerprint } = sealed.value.reply;
        const credential = { ...about, fingerprint };
        const recorded = await recordChange(enclave, caller, {
          eventType: 'credential_created',
          credentialId: credential.id,
          detail: { ...named(credential), allowedUrls: credential.allowedUrls },
        });
        if (!recorded.ok) return recorded;
        await insertCredential(db, credential, envelope);
        await tellSessions(db, enclave, caller, credential.id);
        return ok(showCredential(credential));
      }).finally(() => plaintext.bytes.fill(0));
    },

    async listCredentials({ query, caller }) {
      const { service_id: serviceId = null, credential_type: type = null, ...page } = query;
      const which = { tenantId: caller.tenantId, ids: caller.credentialIds, serviceId, type };
      const { items, total } = await listCredentials(pool, which, page);
      return ok({ items: items.map(showCredential), total });
    },

    async getCredential({ params, caller }) {
      const credential = await reached(caller, params);
      return credential === null ? noSuchCredential : ok(showCredential(credential));
    },

    async updateCredential({ params, body, caller }) {
      const credential = await reached(caller, params);
      if (credential === null) return noSuchCredential;
      // Where a secret may go its owner says: a token that may write and use it would else have the plaintext.
      if (!isPerson(caller))
        return refusal('insufficient_scope', 'a person says where a credential may be used: log in to do so');
      return changeAllowedUrls({ pool, enclave }, caller, credential, body.allowed_urls);
    },

    putCredentialValue: putCredentialValue({ pool, enclave, reached, now }),

    ...useHandlers({ pool, enclave, reached }),

    async deleteCredential({ params, caller }) {
      const credential = await reached(caller, params);
      return credential === null ? noSuchCredential : forget({ pool, enclave }, caller, credential);
    },

    decryptCredential: decryptHandler(reached, enclave, now),
  };
}

/** Holds once the record of it is on disk. */
const changeAllowedUrls = (
  { pool, enclave }: Pick<CredentialParts, 'pool' | 'enclave'>,
  caller: Caller,
  credential: Credential,
  allowedUrls: readonly string[],
): Promise<Answer<CredentialInfo>> =>
  inTransaction(pool, async (db) => {
    const before = await holdAllowedUrls(db, credential.id);
    if (before === null) return noSuchCredential;
    const added = allowedUrls.filter((url) => !before.includes(url));
    const removed = before.filter((url) => !allowedUrls.includes(url));
    const recorded = await recordChange(enclave, caller, {
      eventType: 'credential_updated',
      credentialId: credential.id,
      detail: { allowedUrls: { added, removed } },
    });
    if (!recorded.ok) return recorded;
    await setAllowedUrls(db, credential.id, allowedUrls);
    await tellSessions(db, enclave, caller, credential.id);
    return ok(showCredential({ ...credential, allowedUrls }));
  });

/** Gone once the record of it is on disk. */
const forget = (
  { pool, enclave }: Pick<CredentialParts, 'pool' | 'enclave'>,
  caller: Caller,
  credential: Credential,
): Promise<Answer<{ id: string; deleted: true }>> =>
  inTransaction(pool, async (db) => {
    if ((await holdAllowedUrls(db, credential.id)) === null) return noSuchCredential;
    const recorded = await recordChange(enclave, caller, {
      eventType: 'credential_deleted',
      credentialId: credential.id,
      detail: named(credential),
    });
    if (!recorded.ok) return recorded;
    await deleteCredential(db, credential.id);
    return ok({ id: credential.id, deleted: true });
  });

const newCredential = (body: NewCredential, caller: Caller, now: Date): Omit<Credential, 'fingerprint'> => ({
  id: randomUUID(),
  tenantId: caller.tenantId,
  serviceId: body.service_id,
  type: body.credential_type,
  version: 1,
  label: body.label ?? null,
  allowedUrls: body.allowed_urls ?? [],
  fillMode: body.fill_mode,
  metadata: body.metadata ?? null,
  createdBy: actorOf(caller),
  createdAt: now,
  expiresAt: body.expires_at === undefined ? null : new Date(body.expires_at),
});
