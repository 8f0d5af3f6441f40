import type { Address } from '@countersign/protocol/address';
import type { ContractSigned } from '@countersign/service/ethereum/wallet-signature';
import type { PaymentEntry } from './payment-entry.ts';

/** A payment as the chain may show it: its payload says who gets how much. */
export type SignedPayment = Pick<PaymentEntry, 'asset' | 'payer' | 'nonce' | 'payload'>;

/**
 * A payment has settled in a transaction that carries `AuthorizationUsed(payer, nonce)` and its transfer: who shows challenges chooses
 * the nonce, and two gateways of one wallet may have signed two payments with it. `unknown` when the chain gave no answer.
 */
export type ChainPort = {
  readonly authorizationUsed: (
    query: SignedPayment & { readonly transaction: string },
  ) => Promise<'yes' | 'no' | 'unknown'>;
  /** The transaction that settled it; `unused` when its authorization is. `unknown` also where another payment has used it. */
  readonly findSettlement: (
    query: SignedPayment,
  ) => Promise<{ readonly transaction: string } | 'unused' | 'unknown'>;
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
  /** True when its nonce was used in a transaction that did not move this payment: then it can settle no more. No answer is a no. */
  readonly wasSpentOtherwise: (query: SignedPayment) => Promise<boolean>;
};
