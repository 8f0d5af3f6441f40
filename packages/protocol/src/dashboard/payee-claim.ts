import type { Address } from '../address.ts';

/**
 * EIP-712 domain of a payout address's signature that lets an account submit it as its own (spec:
 * dashboard.business). Valid for a day.
 */
export const payeeClaimDomain = { name: 'Countersign Payee Claim', version: '1' } as const;
export const payeeClaimTypes = {
  PayeeClaim: [
    { name: 'account', type: 'address' },
    { name: 'address', type: 'address' },
    { name: 'domain', type: 'string' },
    { name: 'issuedAt', type: 'string' },
  ],
} as const;
export type PayeeClaim = {
  /** The wallet that signed in. */
  readonly account: Address;
  readonly address: Address;
  readonly domain: string;
  /** ISO 8601. */
  readonly issuedAt: string;
};

/** Ready for `eth_signTypedData_v4`. */
export const payeeClaimTypedData = (message: PayeeClaim) =>
  ({
    domain: payeeClaimDomain,
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
      ],
      ...payeeClaimTypes,
    },
    primaryType: 'PayeeClaim',
    message,
  }) as const;
