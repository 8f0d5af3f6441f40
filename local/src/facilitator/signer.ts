import { multicall3Address } from '@countersign/contracts/addresses';
import type { FacilitatorEvmSigner } from '@x402/evm';
import {
  concatHex,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  http,
  nonceManager,
  publicActions,
  type VerifyTypedDataParameters,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** The chain as the facilitator's key sees it. Any number of payments may be settled at once. */
export type ChainSigner = FacilitatorEvmSigner & { readonly chainIdNow: () => Promise<number> };

type ContractCall = Parameters<FacilitatorEvmSigner['writeContract']>[0];

/** Signs with one key. Times out and retries little: a merchant waits meanwhile, and can ask again itself. */
export function chainSigner(key: `0x${string}`, rpcUrl: string, chainId: number): ChainSigner {
  const client = chainClient(key, rpcUrl, chainId);
  return {
    getAddresses: () => [client.account.address],
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
    verifyTypedData: (args) => client.verifyTypedData(args as VerifyTypedDataParameters),
    writeContract: (call) => writeContract(client, chainId, call),
    sendTransaction: (args) => client.sendTransaction(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    getCode: (args) => client.getCode(args),
    chainIdNow: () => client.getChainId(),
  };
}

type ChainClient = ReturnType<typeof chainClient>;

function chainClient(key: `0x${string}`, rpcUrl: string, chainId: number) {
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
    // A local chain mines at once: viem's four seconds between two looks would be all of the settlement time.
    pollingInterval: 20,
  }).extend(publicActions);
}

// Another payment mined first may turn a cheap storage write into a dear one.
const gasMargin = 30_000n;

/**
 * Everything that can be refused is asked before a nonce is taken, and nothing but sending happens after: a
 * nonce that is taken and never sent holds up every later payment. viem's own `writeContract` does both.
 */
async function writeContract(client: ChainClient, chainId: number, call: ContractCall) {
  const { account } = client;
  const [gas, fees] = await Promise.all([
    client.estimateContractGas({ ...call, account }),
    client.estimateFeesPerGas(),
  ]);
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const data = concatHex([encodeFunctionData(call), call.dataSuffix ?? '0x']);
  const cost = { gas: gas + gasMargin, maxFeePerGas, maxPriorityFeePerGas };
  const transaction = { type: 'eip1559', chainId, to: call.address, data, ...cost } as const;

  const nonce = await nonceManager.consume({ address: account.address, chainId, client });
  try {
    const serializedTransaction = await account.signTransaction({ ...transaction, nonce });
    return await client.sendRawTransaction({ serializedTransaction });
  } catch (error) {
    nonceManager.reset({ address: account.address, chainId, nonce });
    throw error;
  }
}
