import { randomBytes } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import type { Binding, Envelope } from '@countersign/protocol/enclave/credential-parts';
import { decrypt, encrypt } from '../keys/aes-gcm.ts';
import { hkdf, withSecret } from '../keys/hkdf.ts';

const saltBytes = 32;

/** The keys that a ciphertext can be under, by number. */
export type Roots = { readonly newestRoot: number; root(number: number): Buffer | null };

/** Encrypts under a key that is derived for this ciphertext alone and is kept nowhere. */
export function seal(roots: Roots, binding: Binding, plaintext: Uint8Array): Envelope {
  const number = roots.newestRoot;
  const root = roots.root(number);
  if (root === null) throw new Error('there is no root');
  const salt = randomBytes(saltBytes);
  const aad = canonicalText(binding);
  const { nonce, ciphertext } = withKey(root, binding, aad, salt, (key) => encrypt(key, aad, plaintext));
  return {
    root: number,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
  };
}

/** Null unless it was sealed for exactly this binding. The caller wipes what it gets. */
export function open(roots: Roots, binding: Binding, envelope: Envelope): Buffer | null {
  const root = roots.root(envelope.root);
  const salt = Buffer.from(envelope.salt, 'base64');
  if (root === null || salt.length !== saltBytes) return null;
  const aad = canonicalText(binding);
  const nonce = Buffer.from(envelope.nonce, 'base64');
  const ciphertext = Buffer.from(envelope.ciphertext, 'base64');
  return withKey(root, binding, aad, salt, (key) => decrypt(key, aad, nonce, ciphertext));
}

/** root → tenant → this use. */
function withKey<T>(
  root: Buffer,
  { tenantId }: Binding,
  aad: string,
  salt: Buffer,
  use: (key: Buffer) => T,
): T {
  return withSecret(hkdf(root, `countersign-vault-v1/tenant/${tenantId}`), (tenantKey) =>
    withSecret(hkdf(tenantKey, `countersign-vault-v1/credential/${aad}`, salt), use),
  );
}
