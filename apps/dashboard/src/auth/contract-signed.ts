import type { Address } from '@countersign/protocol/address';

/** Whether a wallet that is a contract signed this 32-byte hash. No answer is a no; never throws. */
export type ContractSigned = (wallet: Address, hash: Uint8Array, signature: string) => Promise<boolean>;
