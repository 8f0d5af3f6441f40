import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';

/** Signs for one log. `sign` gives 64 bytes, or throws when the key cannot be used. */
export type Signer = {
  readonly publicKey: KeyObject;
  readonly sign: (bytes: Uint8Array) => Buffer;
};

/** A signer whose Ed25519 private key is in this process. */
export const localSigner = (privateKey: KeyObject): Signer => ({
  publicKey: createPublicKey(privateKey),
  sign: (bytes) => sign(null, bytes, privateKey),
});

/** The Ed25519 private key of a seed of 32 bytes (RFC 8032), by its PKCS#8 form (RFC 8410). */
export function privateKeyOfSeed(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

/** The DER prefix of an Ed25519 public key's SPKI form, before its 32 bytes (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Raw 32 bytes of an Ed25519 public key (RFC 8032). */
export const rawPublicKey = (key: KeyObject): Buffer =>
  Buffer.from(key.export({ format: 'der', type: 'spki' }).subarray(spkiPrefix.length));

/** The raw bytes in base64: how a key stands in attestation reports and on the command line. */
export const publicKeyText = (key: KeyObject): string => rawPublicKey(key).toString('base64');

/** Reads what `publicKeyText` gives; null for anything else. */
export function readPublicKey(text: string): KeyObject | null {
  const bytes = readBase64(text, 32);
  return bytes === null ? null : publicKeyOf(bytes);
}

/** The Ed25519 key of 32 raw bytes; null when they are none. */
export function publicKeyOf(bytes: Uint8Array): KeyObject | null {
  // Of more the rest would be read over, so that one key had many spellings.
  if (bytes.length !== 32) return null;
  try {
    const key = Buffer.concat([spkiPrefix, bytes]);
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** Returns whether `signature` is an Ed25519 signature over `bytes`, base64 in exactly its one spelling. */
export function signedBy(key: KeyObject, bytes: Uint8Array, signature: string): boolean {
  const read = readBase64(signature, 64);
  return read !== null && verify(null, bytes, key, read);
}

/** An Ed25519 signature as it is written: 64 bytes in base64, in its one spelling. Whether it holds is another matter. */
export const signatureText = z.string().refine((text) => readBase64(text, 64) !== null);

/** So many bytes of standard base64; null for another length or another spelling of the same bytes. */
export function readBase64(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length && bytes.toString('base64') === text ? bytes : null;
}
