import type { Address } from '@countersign/protocol/address';
import { recoverSigner } from '@countersign/service/ethereum/signature';
import { memoised } from './memoised.ts';

/** Returns whether the key of this address made the signature. */
export const signedByKey = (address: Address, hash: Uint8Array, signature: string): boolean =>
  signer(Buffer.from(hash).toString('hex'), signature) === address;

const signer = memoised(
  (hex, signature) => recoverSigner(Buffer.from(hex, 'hex'), signature)?.address ?? null,
);
