import { ok } from '@countersign/protocol/result';
import type { CredentialInfo } from '@countersign/protocol/vault/credential-routes';
import { holdRoot } from '@countersign/service/root-lock';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { VaultHandlers } from '../callers.ts';
import type { Enclave } from '../enclave.ts';
import type { Answer } from '../refusal.ts';
import { keepValue } from './replaced-values.ts';
import { noSuchCredential, type Reached } from './reached.ts';
import { recordChange } from './record.ts';
import { onePlaintext, plaintextOf, whyNotSealed } from './sealing.ts';
import { showCredential } from './show.ts';
import { tellSessions } from './tell-sessions.ts';
import { bindingOf, holdVersion, setValue } from './store.ts';

type Parts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly reached: Reached;
  readonly now: () => Date;
};

/** Puts a new value in the place of the old one, once the record of that is on disk. Where it may be used stays as it is. */
export const putCredentialValue =
  ({ pool, enclave, reached, now }: Parts): VaultHandlers['putCredentialValue'] =>
  async ({ params, body, caller }) => {
    const found = await reached(caller, params);
    if (found === null) return noSuchCredential;
    const plaintext = plaintextOf(body);
    if (plaintext === null) return onePlaintext;
    return inTransaction(pool, async (db): Promise<Answer<CredentialInfo>> => {
      await holdRoot(db);
      const before = await holdVersion(db, found.id);
      if (before === null) return noSuchCredential;
      const next = { ...found, version: before.version + 1 };
      const request = { binding: bindingOf(next), sealed: plaintext.sealed };
      const sealed = await enclave.call('seal', request, plaintext.bytes);
      if (!sealed.ok) return whyNotSealed(sealed.error, plaintext.sealed, next.type);
      const { envelope, fingerprint } = sealed.value.reply;
      const recorded = await recordChange(enclave, caller, {
        eventType: 'credential_updated',
        credentialId: next.id,
        detail: { version: next.version, fingerprint, before: before.fingerprint },
      });
      if (!recorded.ok) return recorded;
      await keepValue(db, next.id, now());
      const set = await setValue(db, { ...next, fingerprint }, envelope);
      await tellSessions(db, enclave, caller, next.id);
      return ok(showCredential(set));
    }).finally(() => plaintext.bytes.fill(0));
  };
