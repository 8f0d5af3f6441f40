import type { CredentialInfo } from '@countersign/protocol/vault/credential-routes';
import type { Credential } from './store.ts';

/** Returns a record's description of a credential: nothing from which its secret could be inferred. */
export const named = ({ serviceId, type, version, fingerprint }: Credential) => ({
  serviceId,
  type,
  version,
  fingerprint,
});

/** Returns what everybody may see of a credential who can reach it. */
export const showCredential = (credential: Credential): CredentialInfo => ({
  id: credential.id,
  service_id: credential.serviceId,
  credential_type: credential.type,
  ...(credential.label !== null && { label: credential.label }),
  allowed_urls: [...credential.allowedUrls],
  fill_mode: credential.fillMode,
  ...(credential.metadata !== null && { metadata: credential.metadata }),
  created_at: credential.createdAt.toISOString(),
  expires_at: credential.expiresAt?.toISOString() ?? null,
  fingerprint: credential.fingerprint,
  version: credential.version,
});
