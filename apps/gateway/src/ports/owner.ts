import type { Address } from '@countersign/protocol/address';

/** The owner whose agent this gateway's wallet is, pinned by the environment. */
export type OwnerPort = {
  readonly address: Address;
  /**
   * Whether the owner signed this 32-byte hash, by its key or the word of its contract on this chain. No answer is a no;
   * never throws.
   */
  readonly signed: (hash: Uint8Array, signature: string, chainId: number) => Promise<boolean>;
  /**
   * Returns whether the owner's key has been seen to sign: then it is no contract, and no node can speak for
   * it.
   */
  readonly isKey: () => boolean;
};
