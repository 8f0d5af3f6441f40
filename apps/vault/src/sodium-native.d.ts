/** The few functions of libsodium that the vault uses. */
declare module 'sodium-native' {
  const sodium: {
    readonly crypto_pwhash_STRBYTES: number;
    readonly crypto_pwhash_OPSLIMIT_INTERACTIVE: number;
    readonly crypto_pwhash_MEMLIMIT_INTERACTIVE: number;
    crypto_pwhash_str_async(
      out: Uint8Array,
      password: Uint8Array,
      operations: number,
      memory: number,
    ): Promise<void>;
    crypto_pwhash_str_verify_async(hash: Uint8Array, password: Uint8Array): Promise<boolean>;
    sodium_memzero(bytes: Uint8Array): void;
  };
  export default sodium;
}
