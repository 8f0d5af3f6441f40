import { type Address, parseAddress } from '@countersign/protocol/address';

/**
 * A token we know how to pay with. Decimals and signing domain come from here, never from the service that
 * wants the money.
 */
export type Token = {
  readonly chainId: number;
  readonly address: Address;
  readonly symbol: string;
  readonly decimals: number;
  readonly domain: { readonly name: string; readonly version: string };
};

const usdc = (chainId: number, address: string, name = 'USD Coin'): Token => ({
  chainId,
  address: parseAddress(address) as Address,
  symbol: 'USDC',
  decimals: 6,
  domain: { name, version: '2' },
});

/** Circle's own USDC on each network; all have EIP-3009 `transferWithAuthorization`. */
export const knownTokens: readonly Token[] = [
  usdc(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  usdc(10, '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  usdc(137, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  usdc(8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  usdc(42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  usdc(43114, '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
  usdc(84532, '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC'),
];

export const findToken = (tokens: readonly Token[], chainId: number, address: Address): Token | undefined =>
  tokens.find((token) => token.chainId === chainId && token.address === address);
