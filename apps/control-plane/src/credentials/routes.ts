import type {
  CredentialMetadata,
  controlCredentialRoutes,
} from '@countersign/protocol/control/credential-routes';
import { ok } from '@countersign/protocol/result';
import { inTransaction } from '@countersign/service/sql';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { ask } from '../enclave.ts';
import { isUuid } from '@countersign/service/uuid';
import { findPolicy } from '../policy/store.ts';
import { type Answer, refusal } from '../refusal.ts';
import { type CredentialParts, createCredential, showNew } from './create.ts';
import { bindPolicy, type Credential, findCredential, listCredentials } from './store.ts';

type CredentialHandlers = Pick<ControlHandlers, keyof typeof controlCredentialRoutes>;

const noSuchCredential = refusal('not_found', 'there is no such credential');

/** Credentials: what is told of them is ours, what is in them the enclave's. */
export function credentialHandlers(parts: CredentialParts): CredentialHandlers {
  const { pool, enclave } = parts;
  return {
    createCredential: createCredential(parts),

    async listCredentials({ query: { namespace = null, ...page }, caller }) {
      const { items, total } = await listCredentials(pool, { tenantId: caller.tenantId, namespace }, page);
      return ok({ items: items.map(show), total });
    },

    async getCredential({ params, caller }) {
      const id = params['id'] ?? '';
      const credential = isUuid(id) ? await findCredential(pool, caller.tenantId, id) : null;
      return credential === null ? noSuchCredential : ok(show(credential));
    },

    async bindPolicy({ params, body: { policy_id }, caller }) {
      const id = params['credential_id'] ?? '';
      const { tenantId } = caller;
      if (!isUuid(id)) return noSuchCredential;
      return inTransaction(pool, async (db): Promise<Answer<CredentialMetadata>> => {
        if (policy_id !== null && (await findPolicy(db, tenantId, policy_id, null)) === null)
          return refusal('not_found', 'there is no such policy');
        const credential = await bindPolicy(db, { tenantId, id }, policy_id);
        if (credential === null) return noSuchCredential;
        await ask(enclave, 'control.record', { draft: bindingOf(id, policy_id, caller) });
        return ok(show(credential));
      });
    },
  };
}

const bindingOf = (credentialId: string, policy_id: string | null, caller: Caller) => ({
  eventType: 'policy_bound' as const,
  tenantId: caller.tenantId,
  credentialId,
  actor: actorOf(caller),
  detail: { policy_id },
});

const show = (credential: Credential): CredentialMetadata => ({
  ...showNew(credential),
  type: credential.kind,
  ...(credential.rotationPolicy !== null && { rotation_policy: credential.rotationPolicy }),
  ...(credential.tags !== null && { tags: { ...credential.tags } }),
  policy_id: credential.policyId,
});
