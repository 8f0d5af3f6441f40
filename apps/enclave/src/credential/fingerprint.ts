import { createHmac } from 'node:crypto';
import type { Binding } from '@countersign/protocol/enclave/credential-parts';
import { hkdf, withSecret } from '../keys/hkdf.ts';

/** Equal for equal plaintexts of a tenant and type, and worth nothing to whoever does not have the key. */
export function fingerprintOf(key: Buffer, { tenantId, type }: Binding, plaintext: Uint8Array): string {
  const mac = withSecret(hkdf(key, `countersign-vault-v1/fingerprint/${tenantId}`), (tenantKey) =>
    createHmac('sha256', tenantKey).update(`${type}\n`).update(plaintext).digest('hex'),
  );
  return `hmac-sha256:${mac}`;
}
