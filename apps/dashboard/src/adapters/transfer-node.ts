import { askForText } from '@countersign/service/exchange';
import type { Logger } from '@countersign/service/logger';
import { Pool } from 'undici';
import { z } from 'zod';
import type { TransferNode } from '../transfers/look.ts';

const number = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform((text) => BigInt(text));
const block = z.nullable(z.object({ number }));
const receipt = z.nullable(
  z.object({
    status: z.string(),
    blockNumber: number,
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
  }),
);

const limits = { timeoutMs: 5_000, maxBytes: 1024 * 1024 };
/** A node without finality is believed so many blocks back. */
const depth = 128n;

/** A node by JSON-RPC, at `rpcUrl`. One of another chain knows nothing of ours. */
export function transferNode(
  rpcUrl: URL,
  chainId: number,
  log: Logger,
): TransferNode & { readonly close: () => Promise<void> } {
  const pool = new Pool(rpcUrl.origin, { connections: 4 });
  const headers = { 'content-type': 'application/json' };
  const path = rpcUrl.pathname + rpcUrl.search;

  async function ask<T>(answer: z.ZodType<T>, method: string, params: readonly unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const asked = await askForText(pool, { method: 'POST', path, headers, body }, limits);
    if (asked.kind === 'failed') return 'unknown';
    const read = z.object({ result: answer }).safeParse(jsonOf(asked.text));
    return read.success ? read.data.result : 'unknown';
  }

  return {
    async finalBlock() {
      const chain = await ask(number, 'eth_chainId', []);
      if (chain === 'unknown' || chain !== BigInt(chainId)) {
        const told =
          chain === 'unknown' ? 'EVM_RPC_URL gives no answer' : 'EVM_RPC_URL is a node of another chain';
        log.warn({ wanted: chainId }, `${told}: no transfer is verified`);
        return 'unknown';
      }
      const final = await ask(block, 'eth_getBlockByNumber', ['finalized', false]);
      if (final !== 'unknown' && final !== null) return final.number;
      const head = await ask(number, 'eth_blockNumber', []);
      return head === 'unknown' ? 'unknown' : head - depth;
    },

    async receipt(hash) {
      const found = await ask(receipt, 'eth_getTransactionReceipt', [hash]);
      if (found === 'unknown' || found === null) return found;
      return { succeeded: found.status === '0x1', block: found.blockNumber, logs: found.logs };
    },

    close: () => pool.close(),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
