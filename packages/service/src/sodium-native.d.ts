/** The few functions of libsodium that PASETO and passwords are made of. */
declare module 'sodium-native' {
  export function crypto_generichash(out: Uint8Array, input: Uint8Array, key?: Uint8Array): void;
  export function crypto_stream_xchacha20_xor(
    out: Uint8Array,
    input: Uint8Array,
    nonce: Uint8Array,
    key: Uint8Array,
  ): void;
  export function sodium_memcmp(a: Uint8Array, b: Uint8Array): boolean;
  /** Node finds the numbers, and what stands beside them, here alone. */
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
