import type { Amount } from '@countersign/protocol/amount';
import type { OfferSigner } from './offer-signers.ts';
import type { Token } from './tokens.ts';

/**
 * What is asked of a service that sends no cart mandate. Two words refuse it: `require` is today's, `reject` that of
 * CART_MANDATE_MISSING_POLICY, the variable's earlier name.
 */
export const cartPolicies = ['budget', 'skip', 'challenge', 'require', 'reject'] as const;

export type CartPolicy = (typeof cartPolicies)[number];

/** Ways to move money other than EIP-3009. */
export const transferMethods = ['permit2', 'upto'] as const;

/** What may be paid, and how. Amounts are exact decimals, times are in seconds. */
export type PaymentPolicy = {
  readonly tokens: readonly Token[];
  readonly maxAmount: Amount;
  /** Caps where no mandate applies: on one payment, and on all payments of one UTC day. */
  readonly maxUnmandatedAmount: Amount;
  readonly maxUnmandatedDaily: Amount;
  readonly maxValiditySeconds: number;
  /** The methods in `PAYMENT_SCHEMES`; empty if unset. */
  readonly methods: readonly (typeof transferMethods)[number][];
  readonly missingCart: {
    readonly otherwise: CartPolicy;
    readonly byService: ReadonlyMap<string, CartPolicy>;
  };
  /** Keys that may sign a service's offers beside its payee. Null: as before offers were judged, they are not looked at. */
  readonly offerSigners: ReadonlyMap<string, readonly OfferSigner[]> | null;
};
