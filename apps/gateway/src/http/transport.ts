import type { ServerResponse } from 'node:http';
import type {
  AuthInfo,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';

type Exchange = {
  readonly response: ServerResponse;
  /** The id that the client gave; ours is private, because many clients share one server. */
  readonly clientId: string | number;
  readonly acceptsEvents: boolean;
};

/**
 * MCP Streamable HTTP, server side, without sessions: one `Server` for all clients. Each request gets a
 * private id, so that two clients never meet. An answer is JSON; progress upgrades it to an event stream.
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
  request(
    message: JSONRPCRequest,
    response: ServerResponse,
    acceptsEvents: boolean,
    authInfo: AuthInfo | undefined,
  ): void {
    const id = ++this.#lastId;
    this.#exchanges.set(id, { response, clientId: message.id, acceptsEvents });
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

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) return this.#notify(message, options?.relatedRequestId);
    const id = message.id as number;
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    this.#exchanges.delete(id);
    const text = JSON.stringify({ ...message, id: exchange.clientId });
    const { response } = exchange;
    if (response.headersSent) {
      response.end(event(text));
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }

  /** Only what belongs to a request can reach its client; there is no standing stream. */
  #notify(message: JSONRPCMessage, requestId: string | number | undefined): void {
    const exchange = this.#exchanges.get(requestId as number);
    if (exchange === undefined || !exchange.acceptsEvents) return;
    const { response } = exchange;
    if (!response.headersSent)
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(event(JSON.stringify(message)));
  }
}

const event = (data: string): string => `event: message\ndata: ${data}\n\n`;
