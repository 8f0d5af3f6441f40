/** The few functions of libsodium that the enclave uses. */
declare module 'sodium-native' {
  /** Memory that is locked, guarded on both sides and left out of dumps. */
  export function sodium_malloc(bytes: number): Buffer;
  export function crypto_sign_seed_keypair(publicKey: Buffer, secretKey: Buffer, seed: Buffer): void;
  export function crypto_sign_detached(signature: Buffer, message: Uint8Array, secretKey: Buffer): void;
}
