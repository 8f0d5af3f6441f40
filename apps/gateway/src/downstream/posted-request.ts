import type { IncomingHttpHeaders } from 'node:http';
import type { JSONRPCMessage, JSONRPCResponse } from '@modelcontextprotocol/client';
import { type AnswerReader, BoundedText, type Exchange, TextTooLong } from '@countersign/service/exchange';
import { isObject } from './dialect.ts';
import { eventReader } from './event-stream.ts';

/** The service answered a POST with an HTTP error, or (`status` 2xx) with something that is not MCP. */
export class HttpTransportError extends Error {
  readonly status: number;
  /** Whether the request named a session, which the service may have forgotten. */
  readonly hadSession: boolean;
  constructor(status: number, message: string, hadSession = false) {
    super(message);
    this.name = 'HttpTransportError';
    this.status = status;
    this.hadSession = hadSession;
  }
}

/** No answer may be larger than this, in bytes. */
export const maxAnswerBytes = 16 * 1024 * 1024;

/** Read to its end, a stream's connection can serve again; a service that never ends it loses the connection. */
const lingerMs = 1000;

type Context = {
  readonly hadSession: boolean;
  readonly onHeaders: (headers: IncomingHttpHeaders) => void;
  /** Told of every message that is not the answer. */
  readonly onMessage: (message: JSONRPCMessage) => void;
};

/** A JSON-RPC request on its way, as a POST whose answer brings messages: one JSON body, or a stream of events. */
export class PostedRequest implements AnswerReader {
  readonly #id: string | number;
  readonly #context: Context;
  #status = 0;
  #body: BoundedText | null = null;
  #readEvents: ((chunk: Buffer) => void) | null = null;
  #lingering: NodeJS.Timeout | undefined;
  #exchange: Exchange | null = null;
  #resolve: (answer: JSONRPCResponse) => void = () => {};
  #reject: (why: Error) => void = () => {};
  #isAnswered = false;

  constructor(id: string | number, context: Context) {
    this.#id = id;
    this.#context = context;
  }

  /** Resolves as soon as the answer is there, whatever else the service still sends; rejects when there is none. */
  send(post: (reader: AnswerReader) => Exchange): Promise<JSONRPCResponse> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#exchange = post(this);
    });
  }

  cancel(why: Error): void {
    this.#exchange?.cancel(why);
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    refuseHttpError(status, this.#context.hadSession);
    this.#status = status;
    this.#context.onHeaders(headers);
    const type = (headers['content-type'] ?? '').toLowerCase();
    if (type.startsWith('application/json')) this.#body = new BoundedText(maxAnswerBytes);
    else if (type.startsWith('text/event-stream'))
      this.#readEvents = eventReader(maxAnswerBytes, (data) => this.#deliver(data));
    else throw new HttpTransportError(status, 'the service answered neither JSON nor an event stream');
  }

  bytes(chunk: Buffer): void {
    this.#body?.add(chunk);
    this.#readEvents?.(chunk);
  }

  end(): void {
    clearTimeout(this.#lingering);
    try {
      if (this.#body !== null) this.#deliver(this.#body.toString());
      // Whoever waits for an answer learns at once that none will come.
      if (!this.#isAnswered)
        throw new HttpTransportError(this.#status, 'the service ended its answer without a result');
    } catch (error) {
      this.#reject(error as Error);
    }
  }

  failed(why: Error): void {
    clearTimeout(this.#lingering);
    this.#reject(why instanceof TextTooLong ? new HttpTransportError(this.#status, why.message) : why);
  }

  #deliver(text: string): void {
    for (const message of readMessages(text)) {
      if (isAnswerTo(message, this.#id)) this.#answered(message);
      else this.#context.onMessage(message);
    }
  }

  #answered(message: JSONRPCResponse): void {
    this.#resolve(message);
    this.#isAnswered = true;
    if (this.#readEvents !== null)
      this.#lingering ??= setTimeout(() => this.cancel(new Error('the answer is there')), lingerMs);
  }
}

export function refuseHttpError(status: number, hadSession: boolean): void {
  if (status >= 300) throw new HttpTransportError(status, `the service answered HTTP ${status}`, hadSession);
}

/** The JSON-RPC messages in a text; older services put several into one. */
export function readMessages(text: string): readonly JSONRPCMessage[] {
  if (text === '') return [];
  const messages: unknown = parse(text);
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [messages];
  if (!all.every(isObject)) throw notJsonRpc();
  return all as unknown as readonly JSONRPCMessage[];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJsonRpc();
  }
}

const notJsonRpc = () => new HttpTransportError(200, 'the service answered something that is not JSON-RPC');

/** What the SDK takes for an answer; anything else with our id it would drop, and wait on. */
function isAnswerTo(message: JSONRPCMessage, id: string | number): message is JSONRPCResponse {
  if ('method' in message || message.id !== id || message.jsonrpc !== '2.0') return false;
  return 'result' in message ? isObject(message.result) : isRpcError(message.error);
}

/** Its code reaches the log: nothing but a number may stand there. */
const isRpcError = (error: unknown): boolean =>
  isObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
