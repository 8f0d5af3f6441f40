import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseAbi,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { AnchorChain, AnchoredRoot, AnchorReader, Publication } from './anchor-chain.ts';

const abi = parseAbi([
  'function publish(bytes32 logId, uint64 size, bytes32 root, bytes32 prevRoot, uint8 flags)',
  'function latest(bytes32 logId) view returns (uint64 size, bytes32 root, uint8 flags)',
  'event RootPublished(bytes32 indexed logId, uint64 size, bytes32 root, uint8 flags)',
]);

export type AnchorPlace = { readonly rpcUrl: string; readonly contract: Address };

/** Longest wait for one answer of the node, and for a transaction to be mined. */
const answerMs = 10_000;
const minedMs = 60_000;

const connect = (rpcUrl: string) =>
  createPublicClient({ transport: http(rpcUrl, { timeout: answerMs, retryCount: 0 }) });

/** Reads `AuditAnchor` over JSON-RPC. */
export function anchorReader({ rpcUrl, contract }: AnchorPlace): AnchorReader {
  const client = connect(rpcUrl);
  return {
    async latest(logId) {
      const call = { abi, address: contract, functionName: 'latest', args: [toHex(logId)] } as const;
      const [size, root, flags] = await client.readContract(call);
      return size === 0n ? null : rootOf({ size, root, flags });
    },
    async published(logId, size) {
      const filter = {
        abi,
        address: contract,
        eventName: 'RootPublished',
        fromBlock: 0n,
        strict: true,
      } as const;
      const events = await client.getContractEvents({ ...filter, args: { logId: toHex(logId) } });
      const event = events.find(({ args }) => args.size === BigInt(size));
      if (event === undefined) return null;
      const { transactionHash, blockNumber } = event;
      return { ...rootOf(event.args), transactionHash, blockNumber: Number(blockNumber) };
    },
  };
}

/** The newest root of a log and where it is; null before the first. Rejects when the chain cannot be asked. */
export async function newestOnChain(
  place: AnchorPlace,
  logId: Buffer,
): Promise<(Publication & { readonly chainId: number }) | null> {
  const { latest, published } = anchorReader(place);
  const [newest, chainId] = await Promise.all([latest(logId), connect(place.rpcUrl).getChainId()]);
  const found = newest === null ? null : await published(logId, newest.size);
  return found === null ? null : { ...found, chainId };
}

/** More than the first root of a log takes (72,000, later ones 38,000). */
const gas = 120_000n;

/** Reads and publishes, as the account that the contract has as its publisher. */
export function anchorChain(place: AnchorPlace, account: PrivateKeyAccount): AnchorChain {
  const client = connect(place.rpcUrl);
  return {
    ...anchorReader(place),
    async publish({ logId, size, root, prevRoot, flags }, attempt) {
      const args = [toHex(logId), BigInt(size), toHex(root), toHex(prevRoot), flags] as const;
      const call = { abi, functionName: 'publish', args } as const;
      // Says why before it costs anything.
      await client.simulateContract({ ...call, address: place.contract, account });
      const fees = await client.estimateFeesPerGas();
      const raised = (fee: bigint): bigint => (fee * BigInt(100 + 25 * attempt)) / 100n;
      const serializedTransaction = await account.signTransaction({
        type: 'eip1559',
        chainId: await client.getChainId(),
        to: place.contract,
        data: encodeFunctionData(call),
        // The next one to be mined, so that what waits since an earlier attempt is replaced, not waited for. Nothing
        // is left to the node to estimate, because it would do so after what waits.
        nonce: await client.getTransactionCount({ address: account.address, blockTag: 'latest' }),
        gas,
        maxFeePerGas: raised(fees.maxFeePerGas),
        maxPriorityFeePerGas: raised(fees.maxPriorityFeePerGas),
      });
      const hash = await client.sendRawTransaction({ serializedTransaction });
      const receipt = await client.waitForTransactionReceipt({
        hash,
        timeout: minedMs,
        pollingInterval: 250,
      });
      if (receipt.status !== 'success') throw new Error(`the transaction ${hash} reverted`);
      return { transactionHash: receipt.transactionHash };
    },
  };
}

/** The same with the publisher's private key. */
export const anchorChainOf = (place: AnchorPlace, privateKey: Hex): AnchorChain =>
  anchorChain(place, privateKeyToAccount(privateKey));

const rootOf = ({ size, root, flags }: { size: bigint; root: Hex; flags: number }): AnchoredRoot => ({
  size: Number(size),
  root: Buffer.from(root.slice(2), 'hex'),
  flags,
});
