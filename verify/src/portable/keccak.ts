import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** In the place of the service's, which is WebAssembly. */
export const keccak256 = (data: Uint8Array | string): Uint8Array =>
  keccak_256(typeof data === 'string' ? utf8ToBytes(data) : data);
