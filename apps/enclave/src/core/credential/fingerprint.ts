import { createHmac } from 'node:crypto';
import type { Binding } from '@countersign/protocol/enclave/credential-parts';
import { hkdf, withSecret } from '../keys/hkdf.ts';

/**
 * Says of one credential which plaintext it was kept with. Under a key of that credential alone: equal ones of two
 * credentials do not show, so no guess can be tried by keeping another.
 */
export function fingerprintOf(key: Buffer, binding: Binding, plaintext: Uint8Array): string {
  const { tenantId, credentialId, type } = binding;
  const label = `countersign-vault-v2/fingerprint/${tenantId}/${credentialId}`;
  const mac = withSecret(hkdf(key, label), (ownKey) =>
    createHmac('sha256', ownKey).update(`${type}\n`).update(plaintext).digest('hex'),
  );
  return `hmac-sha256:${mac}`;
}
