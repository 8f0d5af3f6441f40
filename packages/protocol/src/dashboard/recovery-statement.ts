import type { Address } from '../address.ts';

/** EIP-712 domain of all statements about recovery (spec: dashboard.recovery). */
export const recoveryDomain = (chainId: number) =>
  ({ name: 'Countersign Recovery', version: '1', chainId }) as const;

/** `nonce` is one of `/api/auth/nonce`: each statement counts once, and only while that lives. */
export const recoveryTypes = {
  /** The account's wallet names who may recover it; the zero address: nobody. */
  NameRecoveryAddress: [
    { name: 'accountId', type: 'string' },
    { name: 'wallet', type: 'address' },
    { name: 'recoveryAddress', type: 'address' },
    { name: 'nonce', type: 'string' },
  ],
  /** The recovery address has the account of this wallet closed. */
  RecoverAccount: [
    { name: 'wallet', type: 'address' },
    { name: 'recoveryAddress', type: 'address' },
    { name: 'recoveringAccountId', type: 'string' },
    { name: 'nonce', type: 'string' },
  ],
  /** Either ends a change of the address, or a recovery, that is under way. */
  ObjectToRecovery: [
    { name: 'id', type: 'string' },
    { name: 'wallet', type: 'address' },
    { name: 'nonce', type: 'string' },
  ],
} as const;

export type RecoveryMessages = {
  readonly NameRecoveryAddress: {
    readonly accountId: string;
    readonly wallet: Address;
    readonly recoveryAddress: Address;
    readonly nonce: string;
  };
  readonly RecoverAccount: {
    readonly wallet: Address;
    readonly recoveryAddress: Address;
    readonly recoveringAccountId: string;
    readonly nonce: string;
  };
  readonly ObjectToRecovery: { readonly id: string; readonly wallet: Address; readonly nonce: string };
};
export type RecoveryStatement = keyof RecoveryMessages;

/** The address in a statement that names nobody. */
export const noAddress = '0x0000000000000000000000000000000000000000' as Address;

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
] as const;

/** Ready for `eth_signTypedData_v4`. */
export const recoveryTypedData = <S extends RecoveryStatement>(
  primaryType: S,
  message: RecoveryMessages[S],
  chainId: number,
) => ({
  domain: recoveryDomain(chainId),
  types: { EIP712Domain: domainType, [primaryType]: recoveryTypes[primaryType] },
  primaryType,
  message,
});
