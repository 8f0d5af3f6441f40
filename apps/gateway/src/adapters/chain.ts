import { type Address, sameAddress } from '@countersign/protocol/address';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { Pool } from 'undici';
import { z } from 'zod';
import type { ChainPort } from '../ports.ts';
import { contractSigned } from './contract-signature.ts';

const receiptAnswer = z.nullable(
  z.object({
    status: z.string(),
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()) })),
  }),
);
const logsAnswer = z.array(z.object({ transactionHash: z.string() }));
const hexNumber = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform((text) => BigInt(text));

/** EIP-3009: `AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)`. */
const authorizationUsedTopic = `0x${Buffer.from(keccak256('AuthorizationUsed(address,bytes32)')).toString('hex')}`;

/** Reads the chain through a JSON-RPC endpoint. A missing, late or malformed answer is `unknown`. */
export function connectChain(
  rpcUrl: URL,
  timeoutMs: number,
): ChainPort & { readonly close: () => Promise<void> } {
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
    async findSettlement({ asset, payer, nonce }) {
      const head = await ask(hexNumber, 'eth_blockNumber', []);
      if (head === undefined) return 'unknown';
      const from = head > searchedBlocks ? head - searchedBlocks : 0n;
      const filter = {
        address: asset,
        topics: usedTopics(payer, nonce),
        fromBlock: `0x${from.toString(16)}`,
      };
      const logs = await ask(logsAnswer, 'eth_getLogs', [filter]);
      if (logs === undefined) return 'unknown';
      const [used] = logs;
      return used === undefined ? 'unused' : { transaction: used.transactionHash };
    },
    signedByContract: (wallet, hash, signature) => contractSigned(rpcUrl, timeoutMs, wallet, hash, signature),
    close: () => pool.close(),
  };
}

/** Many times the longest validity of an authorization, on the fastest chain; providers answer so many at once. */
const searchedBlocks = 9_000n;

const usedTopics = (payer: Address, nonce: string): readonly string[] => [
  authorizationUsedTopic,
  `0x${payer.slice(2).toLowerCase().padStart(64, '0')}`,
  nonce.toLowerCase(),
];

type Ask = <T>(answer: z.ZodType<T>, method: string, params: readonly unknown[]) => Promise<T | undefined>;

/** Undefined when there is no answer that can be trusted. */
function jsonRpc(pool: Pool, path: string, timeoutMs: number): Ask {
  return async (answer, method, params) => {
    try {
      const response = await pool.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const parsed = (await response.body.json()) as { result?: unknown } | null;
      return answer.parse(parsed?.result);
    } catch {
      return undefined;
    }
  };
}
