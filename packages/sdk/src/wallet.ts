import type { Address } from '@countersign/protocol/address';

/** Data to sign (EIP-712), as `eth_signTypedData_v4` takes it. */
export type TypedData = {
  readonly domain: { readonly name: string; readonly version: string; readonly chainId?: number };
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
};

/** Who signs for the owner. A local account of viem is one; so is a few lines around any other wallet. */
export type Wallet = {
  readonly address: `0x${string}`;
  /** EIP-191; the signature in hex. */
  readonly signMessage: (about: { readonly message: string }) => Promise<string>;
  /** EIP-712; the signature in hex. */
  readonly signTypedData: (data: TypedData) => Promise<string>;
};

/** The text by which a wallet logs in (EIP-4361), in the one form that parses and renders to itself. */
export const loginMessage = (about: {
  readonly origin: URL;
  readonly address: Address;
  readonly chainId: number;
  readonly nonce: string;
  readonly now: Date;
}): string =>
  [
    `${about.origin.host} wants you to sign in with your Ethereum account:`,
    about.address,
    '',
    'Log in to Countersign.',
    '',
    `URI: ${about.origin.origin}`,
    'Version: 1',
    `Chain ID: ${about.chainId}`,
    `Nonce: ${about.nonce}`,
    `Issued At: ${about.now.toISOString()}`,
  ].join('\n');
