import { ed25519 } from '@noble/curves/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from './environment.ts';

// What `packages/audit-log` takes from `node:crypto`, for browsers, whose own cryptography answers later alone. Vite puts
// it in the place of `node:crypto`; what is not here, the log's checks do not use.

const algorithms = { sha256, sha512 };

export function hash(name: keyof typeof algorithms, data: string | Uint8Array, as: 'hex' | 'buffer' = 'hex') {
  const bytes = algorithms[name](typeof data === 'string' ? new TextEncoder().encode(data) : data);
  return as === 'buffer' ? Buffer.from(bytes) : Buffer.from(bytes).toString('hex');
}

/** An Ed25519 public key in its SPKI form. */
class PublicKey {
  readonly #spki: Uint8Array;

  constructor(spki: Uint8Array) {
    this.#spki = spki;
  }

  export(): Uint8Array {
    return Buffer.from(this.#spki);
  }

  equals(other: PublicKey): boolean {
    return Buffer.compare(this.export(), other.export()) === 0;
  }
}

export function createPublicKey({ key }: { readonly key: Uint8Array }): PublicKey {
  return new PublicKey(key);
}

/** Returns whether it is a signature by RFC 8032, as Node's OpenSSL judges it. */
export function verify(_: null, bytes: Uint8Array, key: PublicKey, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, bytes, key.export().subarray(-32), { zip215: false });
  } catch {
    return false;
  }
}

const absent = (): never => {
  throw new Error('no browser signs for a log');
};
export const createPrivateKey = absent;
export const sign = absent;
