import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type GcmDecrypt, loadGcmDecrypt } from './libcrypto.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a key of 32 bytes: nonce, ciphertext, tag. It opens only with the same `aad`. */
export function encrypt(
  key: Buffer,
  aad: string,
  plaintext: Uint8Array,
): { nonce: Buffer; ciphertext: Buffer } {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad));
  const body = cipher.update(plaintext);
  cipher.final();
  return { nonce, ciphertext: Buffer.concat([body, cipher.getAuthTag()]) };
}

/** Null when key, `aad` or a byte is another. Nothing of what is refused stays in memory. */
export function decrypt(key: Buffer, aad: string, nonce: Buffer, ciphertext: Buffer): Buffer | null {
  if (nonce.length !== nonceBytes || ciphertext.length < tagBytes) return null;
  const end = ciphertext.length - tagBytes;
  const [body, tag] = [ciphertext.subarray(0, end), ciphertext.subarray(end)];
  // Memory that nobody shares and the collector never moves.
  const plaintext = Buffer.from(new ArrayBuffer(end));
  if (gcmDecrypt({ key, nonce, aad: Buffer.from(aad), ciphertext: body, tag }, plaintext)) return plaintext;
  plaintext.fill(0);
  return null;
}

/**
 * Decrypts through Node, for platforms on which OpenSSL cannot be called directly. Node may leave a copy of
 * the plaintext in memory.
 */
const byNode: GcmDecrypt = ({ key, nonce, aad, ciphertext, tag }, plaintext) => {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(aad).setAuthTag(tag);
  const decrypted = decipher.update(ciphertext);
  plaintext.set(decrypted);
  decrypted.fill(0);
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
};

const gcmDecrypt = (await loadGcmDecrypt()) ?? byNode;
