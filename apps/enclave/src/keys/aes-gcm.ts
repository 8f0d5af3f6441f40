import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

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
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad));
  decipher.setAuthTag(ciphertext.subarray(end));
  const plaintext = decipher.update(ciphertext.subarray(0, end));
  try {
    decipher.final();
    return plaintext;
  } catch {
    plaintext.fill(0);
    return null;
  }
}
