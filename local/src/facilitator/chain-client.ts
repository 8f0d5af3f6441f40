import { multicall3Address } from '@countersign/contracts/addresses';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

export type ChainClient = ReturnType<typeof chainClient>;

/**
 * Returns a client for one key on one chain. Its timeouts are short and it hardly retries: a merchant is
 * waiting and can ask again.
 */
export function chainClient(key: `0x${string}`, rpcUrl: string, chainId: number) {
  return createWalletClient({
    account: privateKeyToAccount(key),
    chain: defineChain({
      id: chainId,
      name: `eip155:${chainId}`,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
      contracts: { multicall3: { address: multicall3Address } },
    }),
    transport: http(rpcUrl, { retryCount: 1 }),
  }).extend(publicActions);
}
