import { multicall3Address } from '@countersign/contracts/addresses';
import type { FacilitatorEvmSigner } from '@x402/evm';
import {
  createWalletClient,
  defineChain,
  http,
  nonceManager,
  publicActions,
  type VerifyTypedDataParameters,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** The chain as the facilitator's key sees it. Any number of payments may be settled at once. */
export type ChainSigner = FacilitatorEvmSigner & { readonly chainIdNow: () => Promise<number> };

// A local chain mines at once: viem's four seconds between two looks would be all of the settlement time.
const pollingIntervalMs = 20;

// Another payment mined first may turn a cheap storage write into a dear one.
const gasMargin = 30_000n;

/** Signs with one key, through a nonce manager: without one, half of 20 parallel settlements fail. */
export function chainSigner(key: `0x${string}`, rpcUrl: string, chainId: number): ChainSigner {
  const client = createWalletClient({
    account: privateKeyToAccount(key, { nonceManager }),
    chain: defineChain({
      id: chainId,
      name: `eip155:${chainId}`,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
      contracts: { multicall3: { address: multicall3Address } },
    }),
    transport: http(rpcUrl),
    pollingInterval: pollingIntervalMs,
  }).extend(publicActions);

  return {
    getAddresses: () => [client.account.address],
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
    verifyTypedData: (args) => client.verifyTypedData(args as VerifyTypedDataParameters),
    writeContract: async (args) => {
      // Everything that may be refused is asked before a nonce is taken: a nonce that is taken but never
      // sent holds up every later payment.
      const [gas, fees] = await Promise.all([
        client.estimateContractGas({ ...args, account: client.account }),
        client.estimateFeesPerGas(),
      ]);
      const { maxFeePerGas, maxPriorityFeePerGas } = fees;
      return client.writeContract({ ...args, gas: gas + gasMargin, maxFeePerGas, maxPriorityFeePerGas });
    },
    sendTransaction: (args) => client.sendTransaction(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    getCode: (args) => client.getCode(args),
    chainIdNow: () => client.getChainId(),
  };
}
