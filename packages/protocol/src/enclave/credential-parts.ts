import { z } from 'zod';
import { credentialType } from '../vault/credential.ts';

const base64 = z.base64();
const id = z.string().min(1).max(512);

/**
 * The owner of a ciphertext, as associated data of its encryption. Bound to anything else, it does not
 * decrypt.
 */
export const binding = z.strictObject({
  tenantId: id,
  credentialId: z.uuid(),
  /** For the control plane `namespace/label`, each at most 256 characters. */
  serviceId: z.string().min(1).max(513),
  type: credentialType,
  version: z.int().min(1),
});
export type Binding = z.infer<typeof binding>;

/**
 * One credential, encrypted with AES-256-GCM. The key is derived from root, tenant, binding and `salt` for
 * each use.
 */
export const envelope = z.strictObject({
  /** Which root secret, from 1. */
  root: z.int().min(1),
  /** 32 bytes. */
  salt: base64,
  /** 12 bytes. */
  nonce: base64,
  /** The tag of 16 bytes at its end. */
  ciphertext: base64,
});
export type Envelope = z.infer<typeof envelope>;
