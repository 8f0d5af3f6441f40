import type { Address } from '../address.ts';

/** EIP-712 type of the owner's approval of one payment above the limits. */
export const paymentMandateTypes = {
  PaymentMandate: [
    { name: 'approvalId', type: 'string' },
    { name: 'serviceId', type: 'string' },
    { name: 'toolName', type: 'string' },
    { name: 'argumentsHash', type: 'bytes32' },
    { name: 'payer', type: 'address' },
    { name: 'payTo', type: 'address' },
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'string' },
    { name: 'expiresAt', type: 'string' },
  ],
} as const;

export const paymentMandateDomain = (chainId: number) =>
  ({ name: 'Platform Payment Mandate', version: '1', chainId }) as const;

/**
 * The message that the owner approves: one call, one payee, one amount (in the token's base units), until
 * `expiresAt` (ISO 8601).
 */
export type PaymentMandateMessage = {
  readonly approvalId: string;
  readonly serviceId: string;
  readonly toolName: string;
  readonly argumentsHash: `0x${string}`;
  readonly payer: Address;
  readonly payTo: Address;
  readonly asset: Address;
  readonly amount: string;
  readonly expiresAt: string;
};

/** Ready for `eth_signTypedData_v4`. */
export function paymentMandateTypedData(message: PaymentMandateMessage, chainId: number) {
  return {
    domain: paymentMandateDomain(chainId),
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      ...paymentMandateTypes,
    },
    primaryType: 'PaymentMandate',
    message,
  } as const;
}
