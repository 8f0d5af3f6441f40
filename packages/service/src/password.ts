import sodium from 'sodium-native';

/**
 * Argon2id of a password with a random salt, as libsodium writes it: two passes over 64 MiB. The password's bytes are
 * wiped; the text that it came in cannot be.
 */
export async function hashPassword(password: string): Promise<string> {
  const bytes = Buffer.from(password);
  const hash = Buffer.alloc(sodium.crypto_pwhash_STRBYTES);
  try {
    await sodium.crypto_pwhash_str_async(
      hash,
      bytes,
      sodium.crypto_pwhash_OPSLIMIT_INTERACTIVE,
      sodium.crypto_pwhash_MEMLIMIT_INTERACTIVE,
    );
    return hash.toString('latin1').replaceAll('\0', '');
  } finally {
    sodium.sodium_memzero(bytes);
  }
}

/** Returns whether a password is the one of this hash. Takes as long for a wrong one. */
export async function isPassword(hash: string, password: string): Promise<boolean> {
  const bytes = Buffer.from(password);
  const padded = Buffer.alloc(sodium.crypto_pwhash_STRBYTES);
  padded.write(hash, 'latin1');
  try {
    return await sodium.crypto_pwhash_str_verify_async(padded, bytes);
  } finally {
    sodium.sodium_memzero(bytes);
  }
}
