import { fail, ok, type Result } from '@countersign/protocol/result';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';

export type PrivateKey = `0x${string}`;

/** Reads a secp256k1 private key; what it refuses never appears in the answer. */
export function privateKey(text: string): Result<PrivateKey, string> {
  const wanted = fail('must be a private key: 0x and 64 hex digits');
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return wanted;
  try {
    addressOfPrivateKey(keyBytes(text as PrivateKey)); // Zero, and numbers above the order, are no keys.
    return ok(text as PrivateKey);
  } catch {
    return wanted;
  }
}

export const keyBytes = (key: PrivateKey): Uint8Array => Buffer.from(key.slice(2), 'hex');
