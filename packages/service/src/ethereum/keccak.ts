import { createKeccak } from 'hash-wasm';

// One instance for all: `digest` resets nothing by itself, so each use begins with `init`.
const hasher = await createKeccak(256);

/** Keccak-256 as Ethereum uses it (the original padding, not NIST SHA3-256). A string is hashed as UTF-8. */
export function keccak256(data: Uint8Array | string): Uint8Array {
  return hasher.init().update(data).digest('binary');
}
