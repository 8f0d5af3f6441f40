import type { IncomingMessage, ServerResponse } from 'node:http';
import { Canceller } from '@countersign/service/cancellation';
import { z } from 'zod';

const id = z.union([z.string(), z.int()]);

const cancellation = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.never().optional(),
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: id }),
});

/** The request that a message cancels; null for every other message. */
export function readCancellation(message: unknown): string | number | null {
  const parsed = cancellation.safeParse(message);
  return parsed.success ? parsed.data.params.requestId : null;
}

/** Names a request by who asks: clients choose their ids, so that the same one means another request elsewhere. */
export const requestName = (
  { headers }: IncomingMessage,
  agent: string | null,
  requestId: string | number,
): string => JSON.stringify([agent, headers['mcp-session-id'] ?? null, requestId]);

/** The requests that are being answered, so that they can be cancelled by name. */
export class InFlight {
  readonly #requests = new Map<string, Set<Canceller>>();

  /** Aborts when the client cancels the request, or hangs up before it has its answer whole. */
  watch(name: string, response: ServerResponse): Canceller {
    const gone = new Canceller();
    const namesakes = this.#requests.get(name) ?? new Set();
    this.#requests.set(name, namesakes.add(gone));
    response.once('close', () => {
      namesakes.delete(gone);
      if (namesakes.size === 0) this.#requests.delete(name);
      if (!response.writableFinished) gone.abort();
    });
    return gone;
  }

  /** Clients that keep no session may share a name: whose request is meant cannot be told then, and none is cancelled. */
  cancel(name: string): void {
    const [request, ...others] = this.#requests.get(name) ?? [];
    if (others.length === 0) request?.abort();
  }
}
