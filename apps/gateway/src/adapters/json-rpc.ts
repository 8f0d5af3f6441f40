import { askForText } from '@countersign/service/exchange';
import type { Pool } from 'undici';
import { z } from 'zod';

/** A quantity, or one word of an answer. */
export const hexNumber = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform((text) => BigInt(text));

/** Asks a node; undefined when there is no answer that can be trusted. */
export type Ask = <T>(
  answer: z.ZodType<T>,
  method: string,
  params: readonly unknown[],
) => Promise<T | undefined>;

/** No answer of a node is larger than this, in bytes. */
const maxAnswerBytes = 16 * 1024 * 1024;

export function jsonRpc(pool: Pool, path: string, timeoutMs: number): Ask {
  const limits = { timeoutMs, maxBytes: maxAnswerBytes };
  const headers = { 'content-type': 'application/json' };
  return async (answer, method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const asked = await askForText(pool, { method: 'POST', path, headers, body }, limits);
    if (asked.kind === 'failed') return undefined;
    try {
      return answer.parse((JSON.parse(asked.text) as { result?: unknown } | null)?.result);
    } catch {
      return undefined;
    }
  };
}
