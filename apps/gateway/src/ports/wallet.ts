import type { Address } from '@countersign/protocol/address';

export type Wallet = {
  readonly address: Address;
  /** Signs a 32-byte hash; 65 bytes as hex. */
  readonly sign: (hash: Uint8Array) => `0x${string}`;
  /** 32 bytes that only this wallet can make of `text`: the source of nonces. */
  readonly derive: (text: string) => `0x${string}`;
};
