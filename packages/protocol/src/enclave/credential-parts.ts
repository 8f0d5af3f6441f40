import { z } from 'zod';
import { credentialType } from '../vault/credential.ts';

const base64 = z.base64();
const id = z.string().min(1).max(512);

/** What a ciphertext belongs to: the associated data of its encryption. Moved elsewhere, it does not open. */
export const binding = z.strictObject({
  tenantId: id,
  credentialId: z.uuid(),
  /** Of the control plane `namespace/label`, each of them up to 256 characters. */
  serviceId: z.string().min(1).max(513),
  type: credentialType,
  version: z.int().min(1),
});
export type Binding = z.infer<typeof binding>;

/** One encrypted credential, AES-256-GCM. The key is derived from root, tenant, binding and `salt` at each use. */
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
