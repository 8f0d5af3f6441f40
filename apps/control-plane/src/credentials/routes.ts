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
import { deleteCredential, putCredentialValue } from './change.ts';
import { type CredentialParts, createCredential } from './create.ts';
import { noSuchCredential, showCredential } from './show.ts';
import { bindPolicy, findCredential, listCredentials } from './store.ts';

type CredentialHandlers = Omit<
  Pick<ControlHandlers, keyof typeof controlCredentialRoutes>,
  'startRotation' | 'listRotations' | 'resolveRotation'
>;

/** Credentials: what is told of them is ours, what is in them the enclave's. */
export function credentialHandlers(parts: CredentialParts): CredentialHandlers {
  const { pool, enclave } = parts;
  return {
    createCredential: createCredential(parts),
    putCredentialValue: putCredentialValue(parts),
    deleteCredential: deleteCredential(parts),

    async listCredentials({ query: { namespace = null, rotation, ...page }, caller }) {
      const dueBy = rotation === 'due' ? parts.now() : null;
      const which = { tenantId: caller.tenantId, namespace, dueBy };
      const { items, total } = await listCredentials(pool, which, page);
      return ok({ items: items.map(showCredential), total });
    },

    async getCredential({ params, caller }) {
      const id = params['id'] ?? '';
      const credential = isUuid(id) ? await findCredential(pool, caller.tenantId, id) : null;
      return credential === null ? noSuchCredential : ok(showCredential(credential));
    },

    async bindPolicy({ params, body: { policy_id }, caller }) {
      const id = params['credential_id'] ?? '';
      const { tenantId } = caller;
      if (!isUuid(id)) return noSuchCredential;
      return inTransaction(pool, async (db): Promise<Answer<CredentialMetadata>> => {
        if (policy_id !== null && (await findPolicy(db, tenantId, policy_id, null)) === null)
          return refusal('not_found', 'policy not found');
        const credential = await bindPolicy(db, { tenantId, id }, policy_id);
        if (credential === null) return noSuchCredential;
        await ask(enclave, 'control.record', { draft: bindingOf(id, policy_id, caller) });
        return ok(showCredential(credential));
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
