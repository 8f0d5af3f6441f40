/** The few functions of libsodium that PASETO is made of. */
declare module 'sodium-native' {
  export function crypto_generichash(out: Uint8Array, input: Uint8Array, key?: Uint8Array): void;
  export function crypto_stream_xchacha20_xor(
    out: Uint8Array,
    input: Uint8Array,
    nonce: Uint8Array,
    key: Uint8Array,
  ): void;
  export function sodium_memcmp(a: Uint8Array, b: Uint8Array): boolean;
}
