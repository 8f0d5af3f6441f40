import { ed25519 } from '@noble/curves/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from './buffer.ts';

// What the checks take from `node:crypto`, without Node: the build puts this in its place.

const algorithms = { sha256, sha512 };

export function hash(name: keyof typeof algorithms, data: string | Uint8Array, as: 'hex' | 'buffer' = 'hex') {
  const bytes = algorithms[name](typeof data === 'string' ? new TextEncoder().encode(data) : data);
  return as === 'buffer' ? Buffer.from(bytes) : Buffer.from(bytes).toString('hex');
}

/** What stands before the 32 bytes of an Ed25519 public key in its SPKI form (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** An Ed25519 public key, by its 32 bytes. */
class PublicKey {
  readonly raw: Uint8Array;

  constructor(raw: Uint8Array) {
    this.raw = raw;
  }

  /** Its SPKI form. */
  export() {
    return Buffer.concat([spkiPrefix, this.raw]);
  }

  equals(other: PublicKey): boolean {
    return Buffer.compare(this.raw, other.raw) === 0;
  }
}

/** By its SPKI form, the only one in which the checks name a key. */
export const createPublicKey = ({ key }: { readonly key: Uint8Array }): PublicKey =>
  new PublicKey(key.subarray(-32));

/** Whether it is a signature by RFC 8032, as Node's OpenSSL judges it. */
export function verify(_: null, bytes: Uint8Array, key: PublicKey, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, bytes, key.raw, { zip215: false });
  } catch {
    return false;
  }
}

export const randomFillSync = (bytes: Uint8Array<ArrayBuffer>) => globalThis.crypto.getRandomValues(bytes);

const absent = (): never => {
  throw new Error('a verifier does not sign');
};
export const createPrivateKey = absent;
export const sign = absent;
