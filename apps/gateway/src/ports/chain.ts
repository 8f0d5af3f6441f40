import type { Address } from '@countersign/protocol/address';
import type { ContractSigned } from '@countersign/service/ethereum/wallet-signature';

/** Whether a transaction carries `AuthorizationUsed(payer, nonce)`. `unknown` when the chain gave no answer. */
export type ChainPort = {
  readonly authorizationUsed: (query: {
    transaction: string;
    asset: Address;
    payer: Address;
    nonce: string;
  }) => Promise<'yes' | 'no' | 'unknown'>;
  /** The transaction that used this authorization; `unused` when none has so far. */
  readonly findSettlement: (query: {
    asset: Address;
    payer: Address;
    nonce: string;
  }) => Promise<{ readonly transaction: string } | 'unused' | 'unknown'>;
  /** Asks whether a contract wallet signed a hash (ERC-1271, ERC-6492), of a node of this chain alone. No answer is a no. */
  readonly signedByContract: (chainId: number) => ContractSigned;
};

/** Whether an authorization has run out on chain. */
export type ExpiryPort = {
  /** True when a block after `validBefore` (Unix seconds) shows it unused: then it stays so. No answer is a no. */
  readonly staysUnused: (query: {
    asset: Address;
    payer: Address;
    nonce: string;
    validBefore: number;
  }) => Promise<boolean>;
};
