import { sameAddress } from '@countersign/protocol/address';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { Pool } from 'undici';
import { z } from 'zod';
import type { ChainPort } from '../ports.ts';
import { contractSigned } from './contract-signature.ts';

const receiptAnswer = z.object({
  result: z.nullable(
    z.object({
      status: z.string(),
      logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()) })),
    }),
  ),
});

/** EIP-3009: `AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)`. */
const authorizationUsedTopic = `0x${Buffer.from(keccak256('AuthorizationUsed(address,bytes32)')).toString('hex')}`;

/** Reads the chain through a JSON-RPC endpoint. A missing, late or malformed answer is `unknown`. */
export function connectChain(
  rpcUrl: URL,
  timeoutMs: number,
): ChainPort & { readonly close: () => Promise<void> } {
  const pool = new Pool(rpcUrl.origin, { connections: 16 });
  const path = rpcUrl.pathname + rpcUrl.search;
  return {
    async authorizationUsed({ transaction, asset, payer, nonce }) {
      const receipt = await readReceipt(pool, path, transaction, timeoutMs);
      if (receipt === undefined) return 'unknown';
      if (receipt === null || receipt.status !== '0x1') return 'no';
      const authorizer = `0x${payer.slice(2).toLowerCase().padStart(64, '0')}`;
      const wanted = [authorizationUsedTopic, authorizer, nonce.toLowerCase()];
      const used = receipt.logs.some(
        (log) =>
          sameAddress(log.address, asset) &&
          wanted.every((topic, i) => log.topics[i]?.toLowerCase() === topic),
      );
      return used ? 'yes' : 'no';
    },
    signedByContract: (wallet, hash, signature) => contractSigned(rpcUrl, timeoutMs, wallet, hash, signature),
    close: () => pool.close(),
  };
}

async function readReceipt(pool: Pool, path: string, transaction: string, timeoutMs: number) {
  try {
    const response = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getTransactionReceipt',
        params: [transaction],
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return receiptAnswer.parse(await response.body.json()).result;
  } catch {
    return undefined;
  }
}
