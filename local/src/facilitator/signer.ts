import type { FacilitatorEvmSigner } from '@x402/evm';
import { concatHex, encodeFunctionData, type VerifyTypedDataParameters } from 'viem';
import { chainClient } from './chain-client.ts';
import { sendMined } from './sender.ts';

/** The chain as the facilitator's key sees it. Any number of payments may be settled at once. */
export type ChainSigner = FacilitatorEvmSigner & { readonly chainIdNow: () => Promise<number> };

/** Signs with one key. What it wrote or sent is mined when its hash is told. */
export function chainSigner(key: `0x${string}`, rpcUrl: string, chainId: number): ChainSigner {
  const client = chainClient(key, rpcUrl, chainId);
  return {
    getAddresses: () => [client.account.address],
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
    verifyTypedData: (args) => client.verifyTypedData(args as VerifyTypedDataParameters),
    writeContract: ({ address, dataSuffix, ...call }) =>
      sendMined(client, { to: address, data: concatHex([encodeFunctionData(call), dataSuffix ?? '0x']) }),
    sendTransaction: ({ to, data }) => sendMined(client, { to, data }),
    waitForTransactionReceipt: ({ hash }) => client.getTransactionReceipt({ hash }),
    getCode: (args) => client.getCode(args),
    chainIdNow: () => client.getChainId(),
  };
}
