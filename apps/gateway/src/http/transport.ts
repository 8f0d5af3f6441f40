import type { ServerResponse } from 'node:http';
import type {
  AuthInfo,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Transport,
} from '@modelcontextprotocol/server';
import { sendJson } from './messages.ts';

type Exchange = {
  readonly response: ServerResponse;
  /** The id that the client gave; ours is private, because many clients share one server. */
  readonly clientId: string | number;
};

/**
 * MCP Streamable HTTP, server side, without sessions: one `Server` for all clients. Each request gets a
 * private id, so that two clients never meet. Every answer is one JSON body.
 */
export class SharedHttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: { authInfo?: AuthInfo }) => void;
  readonly #exchanges = new Map<number, Exchange>();
  #lastId = 0;

  async start(): Promise<void> {}

  async close(): Promise<void> {
    for (const { response } of this.#exchanges.values()) response.destroy();
    this.onclose?.();
  }

  /** Hands a request to the server; `response` is answered by `send`. A client that hangs up cancels its call. */
  request(message: JSONRPCRequest, response: ServerResponse, authInfo: AuthInfo | undefined): void {
    const id = ++this.#lastId;
    this.#exchanges.set(id, { response, clientId: message.id });
    response.once('close', () => {
      if (!this.#exchanges.delete(id)) return;
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    });
    this.onmessage?.({ ...message, id }, authInfo && { authInfo });
  }

  /** Cancellation by id is dropped: the id is the client's, and would name somebody else's request. */
  notification(message: JSONRPCNotification): void {
    if (message.method !== 'notifications/cancelled') this.onmessage?.(message);
  }

  /** Nothing but an answer can reach a client: there is no standing stream. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) return;
    const id = message.id as number;
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    this.#exchanges.delete(id);
    sendJson(exchange.response, 200, { ...message, id: exchange.clientId });
  }
}
