import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The DER prefix of an Ed25519 public key's SPKI form, before its 32 bytes (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Reads what `publicHalf` gives; null for anything else. */
export function readPublicHalf(text: string): KeyObject | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32 || bytes.toString('base64') !== text) return null;
  try {
    return createPublicKey({ key: Buffer.concat([spkiPrefix, bytes]), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** Returns whether `signature` is that of `signText`, in exactly its spelling. */
export function signedBy(key: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify(null, Buffer.from(text), key, bytes);
}
