import type { CredentialMetadata } from '@countersign/protocol/control/credential-routes';
import { refusal } from '../refusal.ts';
import { showNew } from './create.ts';
import type { Credential } from './store.ts';

export const noSuchCredential = refusal('not_found', 'credential not found');

/** Returns what everybody with `read` may see of a credential. */
export const showCredential = (credential: Credential): CredentialMetadata => ({
  ...showNew(credential),
  type: credential.kind,
  ...(credential.rotationPolicy !== null && { rotation_policy: credential.rotationPolicy }),
  ...(credential.tags !== null && { tags: { ...credential.tags } }),
  policy_id: credential.policyId,
  version: credential.version,
  value_at: credential.valueAt.toISOString(),
  rotation_due_at: credential.rotationDueAt?.toISOString() ?? null,
  rotation: credential.rotation,
});
