import type { CredentialInfo } from '@countersign/protocol/vault/credential-routes';
import type { Credential } from './store.ts';

/** What a record says of a credential: nothing that its secret could be told from. */
export const named = ({ serviceId, type, version, fingerprint }: Credential) => ({
  serviceId,
  type,
  version,
  fingerprint,
});

/** What everyone may see of a credential who reaches it. */
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
