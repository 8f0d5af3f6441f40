import type { IncomingMessage, ServerResponse } from 'node:http';
import { Canceller } from '@countersign/service/cancellation';
import { Crowd } from '@countersign/service/crowd';
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

/** A request, named by who asks: clients choose their ids, so that the same one means another request elsewhere. */
export type RequestName = {
  readonly agent: string | null;
  readonly session: string | readonly string[] | undefined;
  readonly id: string | number;
};

export const requestName = (
  { headers }: IncomingMessage,
  agent: string | null,
  id: string | number,
): RequestName => ({ agent, session: headers['mcp-session-id'], id });

const isSame = (a: RequestName, b: RequestName): boolean =>
  a.id === b.id && a.session === b.session && a.agent === b.agent;

type Watched = { readonly name: RequestName; readonly gone: Canceller };

/** The requests that are being answered, so that they can be cancelled by name. */
export class InFlight {
  readonly #requests = new Crowd<Watched>();

  /** Aborts when the client cancels the request, or hangs up before it has its answer whole. */
  watch(name: RequestName, response: ServerResponse): Canceller {
    const watched = { name, gone: new Canceller() };
    const leave = this.#requests.add(watched);
    response.on('close', () => {
      leave();
      if (!response.writableFinished) watched.gone.abort();
    });
    return watched.gone;
  }

  /** Clients that keep no session may share a name: whose request is meant cannot be told then, and none is cancelled. */
  cancel(name: RequestName): void {
    const [request, ...others] = this.#requests.all().filter((watched) => isSame(watched.name, name));
    if (others.length === 0) request?.gone.abort();
  }
}
