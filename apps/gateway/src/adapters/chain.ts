import { type Address, sameAddress } from '@countersign/protocol/address';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { contractWallets } from '@countersign/service/ethereum/contract-wallet';
import type { Logger } from '@countersign/service/logger';
import { Pool } from 'undici';
import { z } from 'zod';
import type { ChainPort, ExpiryPort } from '../ports/chain.ts';
import { type Ask, hexNumber, jsonRpc } from './json-rpc.ts';

const receiptAnswer = z.nullable(
  z.object({
    status: z.string(),
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()) })),
  }),
);
const logsAnswer = z.array(z.object({ transactionHash: z.string() }));
const flag = hexNumber.refine((value) => value <= 1n);
const blockAnswer = z.object({ number: z.string(), timestamp: z.string().regex(/^0x[0-9a-f]+$/) });

/** EIP-3009: `AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)`. */
const authorizationUsedTopic = `0x${Buffer.from(keccak256('AuthorizationUsed(address,bytes32)')).toString('hex')}`;

/** Reads the chain through a JSON-RPC endpoint. A missing, late or malformed answer is `unknown`. */
export function connectChain(
  rpcUrl: URL,
  timeoutMs: number,
  log: Logger,
): ChainPort & ExpiryPort & { readonly close: () => Promise<void> } {
  const pool = new Pool(rpcUrl.origin, { connections: 16 });
  const ask = jsonRpc(pool, rpcUrl.pathname + rpcUrl.search, timeoutMs);
  return {
    async authorizationUsed({ transaction, asset, payer, nonce }) {
      const receipt = await ask(receiptAnswer, 'eth_getTransactionReceipt', [transaction]);
      if (receipt === undefined) return 'unknown';
      if (receipt === null || receipt.status !== '0x1') return 'no';
      const wanted = usedTopics(payer, nonce);
      const used = receipt.logs.some(
        (log) =>
          sameAddress(log.address, asset) &&
          wanted.every((topic, i) => log.topics[i]?.toLowerCase() === topic),
      );
      return used ? 'yes' : 'no';
    },
    async findSettlement(payment) {
      const head = await ask(hexNumber, 'eth_blockNumber', []);
      if (head === undefined) return 'unknown';
      const recent = await usedBetween(ask, payment, before(head), null);
      if (recent !== 'unused') return recent;
      const used = await wasUsed(ask, payment, 'latest');
      if (used !== true) return used === false ? 'unused' : 'unknown';
      return searchBack(ask, payment, before(head));
    },
    async staysUnused({ validBefore, ...payment }) {
      const block = await ask(blockAnswer, 'eth_getBlockByNumber', ['latest', false]);
      // A node that lags behind, or a chain that stands still, does not know yet.
      if (block === undefined || BigInt(block.timestamp) < BigInt(validBefore)) return false;
      return (await wasUsed(ask, payment, block.number)) === false;
    },
    signedByContract: (chainId) => contractWallets({ rpcUrl, chainId, timeoutMs, log }),
    close: () => pool.close(),
  };
}

/** Providers answer so many blocks at once. */
const searchedBlocks = 9_000n;
/** How far back a settlement is looked for after a long outage: three weeks on a chain of two seconds. */
const maxSearch = 100;

const before = (block: bigint): bigint => (block > searchedBlocks ? block - searchedBlocks : 0n);
const hex = (block: bigint): string => `0x${block.toString(16)}`;

type Payment = { readonly asset: Address; readonly payer: Address; readonly nonce: string };
type Found = Awaited<ReturnType<ChainPort['findSettlement']>>;

/** Null for `to` means up to now. */
async function usedBetween(ask: Ask, payment: Payment, from: bigint, to: bigint | null): Promise<Found> {
  const filter = {
    address: payment.asset,
    topics: usedTopics(payment.payer, payment.nonce),
    fromBlock: hex(from),
    ...(to !== null && { toBlock: hex(to) }),
  };
  const logs = await ask(logsAnswer, 'eth_getLogs', [filter]);
  if (logs === undefined) return 'unknown';
  const [used] = logs;
  return used === undefined ? 'unused' : { transaction: used.transactionHash };
}

/** For an authorization that is known to be used: an outage may have been longer than one answer reaches. */
async function searchBack(ask: Ask, payment: Payment, until: bigint): Promise<Found> {
  for (let to = until, n = 0; to > 0n && n < maxSearch; to = before(to), n++) {
    const found = await usedBetween(ask, payment, before(to), to);
    if (found !== 'unused') return found;
  }
  return 'unknown';
}

/** EIP-3009: `authorizationState(address authorizer, bytes32 nonce)`. Undefined without an answer. */
async function wasUsed(
  ask: Ask,
  { asset, payer, nonce }: Payment,
  block: string,
): Promise<boolean | undefined> {
  const data = `${authorizationStateSelector}${payer.slice(2).toLowerCase().padStart(64, '0')}${nonce.slice(2)}`;
  const answer = await ask(flag, 'eth_call', [{ to: asset, data }, block]);
  return answer === undefined ? undefined : answer === 1n;
}

const authorizationStateSelector = `0x${Buffer.from(keccak256('authorizationState(address,bytes32)').subarray(0, 4)).toString('hex')}`;

const usedTopics = (payer: Address, nonce: string): readonly string[] => [
  authorizationUsedTopic,
  `0x${payer.slice(2).toLowerCase().padStart(64, '0')}`,
  nonce.toLowerCase(),
];
