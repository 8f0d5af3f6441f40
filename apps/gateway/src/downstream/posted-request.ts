import type { IncomingHttpHeaders } from 'node:http';
import type { JSONRPCMessage, JSONRPCResponse } from '@modelcontextprotocol/client';
import { type AnswerReader, BoundedText, type Exchange, TextTooLong } from '@countersign/service/exchange';
import { isUrl } from '@countersign/protocol/url';
import type { NonsenseReason } from '../rules/call-outcome.ts';
import { isObject } from './dialect.ts';
import { eventReader } from './event-stream.ts';

/** The service answered a POST with an HTTP error, or (`status` 2xx) with something that is not MCP. */
export class HttpTransportError extends Error {
  readonly status: number;
  /** Whether the request named a session, which the service may have forgotten. */
  readonly hadSession: boolean;
  readonly nonsense: NonsenseReason;
  /** Seconds to wait, as the service says; null when it does not. */
  readonly retryAfter: number | null;
  /** The host to which it sends us; null when it does not. */
  readonly redirectedTo: string | null;
  /** The value as the service sent it. */
  readonly location: string;
  constructor(
    status: number,
    message: string,
    {
      hadSession = false,
      nonsense = 'not-mcp',
      headers = {},
    }: { hadSession?: boolean; nonsense?: NonsenseReason; headers?: IncomingHttpHeaders } = {},
  ) {
    super(message);
    this.nonsense = nonsense;
    this.name = 'HttpTransportError';
    this.status = status;
    this.hadSession = hadSession;
    this.retryAfter = secondsIn(headers['retry-after']);
    const { location = '' } = headers;
    this.location = location;
    this.redirectedTo = isUrl(location) ? new URL(location).origin : null;
  }
}

/** Whole seconds to wait: `Retry-After` is seconds or a date (RFC 9110). Null for anything else, and for one that comes twice. */
export function secondsIn(header: unknown): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // Of other texts `Date.parse` makes what it likes: 1.5 is in the year 2001.
  const until = httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

/** The date formats that servers still send: IMF-fixdate and RFC 850. */
const httpDate = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](\d\d){1,2} \d\d:\d\d:\d\d GMT$/;

/** No answer may be larger than this, in bytes. */
export const maxAnswerBytes = 16 * 1024 * 1024;

/** After how long a stream is resumed, unless its service says otherwise. */
const firstRetryMs = 1000;
const minRetryMs = 100;

/** Read to its end, a stream's connection can serve again; a service that never ends it loses the connection. */
const lingerMs = 1000;

/** What requests need of the transport that sends them. */
export type Context = {
  readonly onHeaders: (headers: IncomingHttpHeaders) => void;
  /** Opens the stream again from where it ended. */
  readonly resume: (lastEventId: string, reader: AnswerReader) => Exchange;
  /** Told of every message that is not the answer. */
  readonly onMessage: (message: JSONRPCMessage) => void;
};

/** A JSON-RPC request on its way, as a POST whose answer brings messages: one JSON body, or a stream of events. */
export class PostedRequest implements AnswerReader {
  readonly id: string | number;
  readonly #hadSession: boolean;
  readonly #context: Context;
  #status = 0;
  #body: BoundedText | null = null;
  #readEvents: ((chunk: Buffer) => void) | null = null;
  #lingering: NodeJS.Timeout | undefined;
  #exchange: Exchange | null = null;
  #resolve: (answer: JSONRPCResponse) => void = () => {};
  #reject: (why: Error) => void = () => {};
  #isAnswered = false;
  #lastEventId: string | null = null;
  #retryMs = firstRetryMs;
  #pause: NodeJS.Timeout | undefined;
  /** Whether the exchange that is under way was begun to resume an earlier one. */
  #isResumed = false;
  #isCancelled = false;

  constructor(id: string | number, hadSession: boolean, context: Context) {
    this.id = id;
    this.#hadSession = hadSession;
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
    this.#isCancelled = true;
    clearTimeout(this.#pause);
    this.#exchange?.cancel(why);
    this.#reject(why);
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    if (this.#isResumed) return this.#resumed(status, headers);
    refuseHttpError(status, this.#hadSession, headers);
    this.#status = status;
    this.#context.onHeaders(headers);
    const type = (headers['content-type'] ?? '').toLowerCase();
    if (type.startsWith('application/json')) this.#body = new BoundedText(maxAnswerBytes);
    else if (type.startsWith('text/event-stream')) this.#readEvents = this.#newReader();
    else throw new HttpTransportError(status, 'the service answered neither JSON nor an event stream');
  }

  bytes(chunk: Buffer): void {
    this.#body?.add(chunk);
    this.#readEvents?.(chunk);
  }

  end(): void {
    clearTimeout(this.#lingering);
    if (this.#resumeLater()) return;
    try {
      if (this.#body !== null) this.#deliver(this.#body.toString());
      // Whoever waits for an answer learns at once that none will come.
      if (!this.#isAnswered) throw endedEarly(this.#status);
    } catch (error) {
      this.#reject(error as Error);
    }
  }

  failed(why: Error): void {
    clearTimeout(this.#lingering);
    const tooLarge = () => new HttpTransportError(this.#status, why.message, { nonsense: 'too-large' });
    this.#reject(why instanceof TextTooLong ? tooLarge() : why);
  }

  #newReader(): (chunk: Buffer) => void {
    return eventReader(maxAnswerBytes, (data) => this.#deliver(data), {
      onId: (id) => {
        this.#lastEventId = id;
      },
      onRetry: (ms) => {
        this.#retryMs = Math.max(minRetryMs, ms);
      },
    });
  }

  /**
   * A service may close a stream before its answer is there, and be asked for the rest later (Streamable HTTP,
   * Resumability): only one that has named a place in it. Whoever waits no longer cancels.
   */
  #resumeLater(): boolean {
    const from = this.#lastEventId;
    if (this.#isAnswered || this.#isCancelled || this.#readEvents === null || from === null) return false;
    this.#pause = setTimeout(() => {
      this.#isResumed = true;
      this.#exchange = this.#context.resume(from, this);
    }, this.#retryMs);
    return true;
  }

  #resumed(status: number, headers: IncomingHttpHeaders): void {
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    if (status !== 200 || !isStream) throw endedEarly(this.#status);
    this.#readEvents = this.#newReader();
  }

  #deliver(text: string): void {
    for (const message of readMessages(text)) {
      if (isAnswerTo(message, this.id)) this.#answered(message);
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

const endedEarly = (status: number): HttpTransportError =>
  new HttpTransportError(status, 'the service ended its answer without a result', { nonsense: 'ended' });

export function refuseHttpError(status: number, hadSession: boolean, headers: IncomingHttpHeaders): void {
  if (status >= 300) throw httpError(status, hadSession, headers);
}

export const httpError = (
  status: number,
  hadSession: boolean,
  headers: IncomingHttpHeaders,
): HttpTransportError =>
  new HttpTransportError(status, `the service answered HTTP ${status}`, { hadSession, headers });

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

/**
 * Returns whether the SDK accepts the message as the response. It would drop any other message with our id
 * and keep waiting.
 */
function isAnswerTo(message: JSONRPCMessage, id: string | number): message is JSONRPCResponse {
  if ('method' in message || message.id !== id || message.jsonrpc !== '2.0') return false;
  return 'result' in message ? isObject(message.result) : isRpcError(message.error);
}

/** Its code reaches the log: nothing but a number may stand there. */
const isRpcError = (error: unknown): boolean =>
  isObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
