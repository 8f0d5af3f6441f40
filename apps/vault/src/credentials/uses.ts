import { ok } from '@countersign/protocol/result';
import type { CredentialUse } from '@countersign/protocol/vault/credential-use';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import type { VaultHandlers } from '../callers.ts';
import type { Enclave } from '../enclave.ts';
import { refusal } from '../refusal.ts';
import { noSuchCredential, type Reached } from './reached.ts';
import { recordChange } from './record.ts';
import { deleteUse, holdUse, listUses, type Use } from './use-store.ts';

/** Most that are listed; a person agrees to far fewer. */
const maxListed = 1000;

type Parts = { readonly pool: Pool; readonly enclave: Enclave; readonly reached: Reached };

/** Handles the places where a credential may be sent without another approval. */
export function useHandlers({
  pool,
  enclave,
  reached,
}: Parts): Pick<VaultHandlers, 'listCredentialUses' | 'deleteCredentialUse'> {
  return {
    async listCredentialUses({ params, caller }) {
      const credential = await reached(caller, params);
      if (credential === null) return noSuchCredential;
      const uses = await listUses(pool, credential.id, maxListed);
      return ok({ items: uses.map(showUse), total: uses.length });
    },

    async deleteCredentialUse({ params, caller }) {
      const credential = await reached(caller, params);
      if (credential === null) return noSuchCredential;
      const id = params['use_id'] ?? '';
      if (!isUuid(id)) return noSuchPlace;
      return inTransaction(pool, async (db) => {
        const detail = await holdUse(db, id, credential.id);
        if (detail === null) return noSuchPlace;
        const change = { eventType: 'credential_use_revoked' as const, credentialId: credential.id, detail };
        const recorded = await recordChange(enclave, caller, change);
        if (!recorded.ok) return recorded;
        await deleteUse(db, id);
        return ok({ id, deleted: true as const });
      });
    },
  };
}

const noSuchPlace = refusal('not_found', 'the credential has no such allowed use');

const showUse = ({ allowedBy, createdAt, ...use }: Use): CredentialUse => ({
  id: use.id,
  origin: use.origin,
  path: use.path,
  method: use.method,
  field: use.field,
  allowed_by: allowedBy,
  created_at: createdAt.toISOString(),
});
