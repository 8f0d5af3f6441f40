import { createRequire } from 'node:module';

/**
 * The three operations we need on curve secp256k1. `hash` is 32 bytes, `compact` 64 (r ‖ s), a public key
 * 65 (uncompressed). `recover` gives null when there is no such point. Signatures made are deterministic
 * (RFC 6979) and low-s (EIP-2).
 */
export type Secp256k1 = {
  readonly name: 'native' | 'wasm';
  readonly sign: (hash: Uint8Array, privateKey: Uint8Array) => { compact: Uint8Array; recovery: number };
  readonly recover: (hash: Uint8Array, compact: Uint8Array, recovery: number) => Uint8Array | null;
  readonly publicKey: (privateKey: Uint8Array) => Uint8Array;
};

type NativeAddon = {
  ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number };
  ecdsaRecover(signature: Uint8Array, recid: number, hash: Uint8Array, compressed: boolean): Uint8Array;
  publicKeyCreate(key: Uint8Array, compressed: boolean): Uint8Array;
};

/** libsecp256k1 through N-API; throws where no prebuilt binary loads. */
export function loadNative(): Secp256k1 {
  // The package's main file falls back to slow JavaScript in silence; its `bindings` file throws instead.
  const addon = createRequire(import.meta.url)('secp256k1/bindings.js') as NativeAddon;
  return {
    name: 'native',
    sign(hash, privateKey) {
      const { signature, recid } = addon.ecdsaSign(hash, privateKey);
      return { compact: signature, recovery: recid };
    },
    recover(hash, compact, recovery) {
      try {
        return addon.ecdsaRecover(compact, recovery, hash, false);
      } catch {
        return null;
      }
    },
    publicKey: (privateKey) => addon.publicKeyCreate(privateKey, false),
  };
}

/** libsecp256k1 compiled to WebAssembly: runs everywhere, some four times slower than native. */
export async function loadWasm(): Promise<Secp256k1> {
  const wasm = await import('tiny-secp256k1');
  return {
    name: 'wasm',
    sign(hash, privateKey) {
      const { signature, recoveryId } = wasm.signRecoverable(hash, privateKey);
      return { compact: signature, recovery: recoveryId };
    },
    recover(hash, compact, recovery) {
      try {
        return wasm.recover(hash, compact, recovery as 0 | 1, false);
      } catch {
        return null;
      }
    },
    publicKey(privateKey) {
      const key = wasm.pointFromScalar(privateKey, false);
      if (key === null) throw new Error('not a private key');
      return key;
    },
  };
}

async function load(): Promise<Secp256k1> {
  try {
    return loadNative();
  } catch {
    return loadWasm();
  }
}

/** The fastest implementation that works on this machine. */
export const secp256k1: Secp256k1 = await load();
