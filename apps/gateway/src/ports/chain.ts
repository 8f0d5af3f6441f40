import type { Cancellation } from '@countersign/service/cancellation';
import type { ContractSigned } from '@countersign/service/ethereum/wallet-signature';
import type { PaymentEntry } from './payment-entry.ts';

/** A payment as the chain may show it: its payload says who gets how much. */
export type SignedPayment = Pick<PaymentEntry, 'asset' | 'payer' | 'nonce' | 'payload'>;

/** One that cannot have settled before a moment (Unix ms). */
export type OpenedPayment = SignedPayment & Pick<PaymentEntry, 'openedAt'>;

/** `moved`: base units as decimal text, of a payment of which less than all may be taken. */
export type SettledIn = { readonly transaction: string; readonly moved?: string | undefined };

/**
 * A payment has settled in a transaction that moved it by its own nonce: who shows challenges chooses the nonce, and two gateways
 * of one wallet may have signed two payments with it. `unknown` when the chain gave no answer.
 */
export type ChainPort = {
  /**
   * Reads whether an authorization was used. For `upto` the chain states the amount moved; any other payment
   * moves all of it.
   */
  readonly authorizationUsed: (
    query: SignedPayment & { readonly transaction: string },
  ) => Promise<'yes' | 'no' | 'unknown' | { readonly moved: string }>;
  /**
   * The transaction that settled it; `unused` when its authorization is. `unknown` also where another payment has used it. For a payment
   * by Permit2 it looks at the newest blocks only, and no longer than `signal` lets it: a call waits.
   */
  readonly findSettlement: (
    query: OpenedPayment,
    signal?: Cancellation,
  ) => Promise<SettledIn | 'unused' | 'unknown'>;
  /**
   * How much of the token Permit2 may move of the payer's, in base units, and the nonce of the payer's next EIP-2612 approval, null
   * where the token tells none; as decimal text.
   */
  readonly permit2Standing: (
    query: Pick<SignedPayment, 'asset' | 'payer'>,
  ) => Promise<{ readonly allowance: string; readonly approvalNonce: string | null } | 'unknown'>;
  /** Asks whether a contract wallet signed a hash (ERC-1271, ERC-6492), of a node of this chain alone. No answer is a no. */
  readonly signedByContract: (chainId: number) => ContractSigned;
};

/** A payment that is known to have settled: `transaction` is null where none shows it, and then all of it counts as taken. */
export type Settled = { readonly transaction: string | null; readonly moved?: string | undefined };

/** Whether an authorization has run out on chain. */
export type ExpiryPort = {
  /**
   * The same, looked for since it was opened; hurried for two seconds at most. `none`: there was an answer for all of that, and no
   * transaction shows it.
   */
  readonly searchSettlement: (
    query: OpenedPayment,
    isHurried: boolean,
  ) => Promise<SettledIn | 'unused' | 'none' | 'unknown'>;
  /**
   * True when a block after `validBefore` shows the nonce of a payment by Permit2 used: then its money has moved, whatever
   * transaction did it. No answer is a no, and so is a payment of another kind.
   */
  readonly wasTaken: (query: SignedPayment & { readonly validBefore: number }) => Promise<boolean>;
  /** True when a block after `validBefore` (Unix seconds) shows it unused: then it stays so. No answer is a no. */
  readonly staysUnused: (query: SignedPayment & { readonly validBefore: number }) => Promise<boolean>;
  /** True when its nonce was used in a transaction that did not move this payment: then it can settle no more. No answer is a no. */
  readonly wasSpentOtherwise: (query: SignedPayment) => Promise<boolean>;
};
