import type { Socket } from 'node:net';
import { readingInto } from '../../read-into.ts';
import { encodeCommand, MessageReader, type Slot } from './messages.ts';
import { idOf, methodOf, sessionOf, stringOf, withoutBodies } from './raw.ts';

/** A message that the browser sends unasked. */
export type CdpEvent = { readonly method: string; readonly params: unknown; readonly sessionId?: string };

/** The browser refused a command, or it or the page is gone. Its words are Chromium's or the page's, so nobody is told them. */
export class CdpError extends Error {
  readonly kind: 'refused' | 'page_gone' | 'gone';
  constructor(kind: CdpError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

type Waiting = {
  readonly sessionId: string | undefined;
  /** Takes the answer as bytes, before what comes after it is heard. */
  readonly raw: ((answer: Buffer) => unknown) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

export type Sending = {
  readonly sessionId?: string | undefined;
  readonly slot?: Slot;
  readonly raw?: (answer: Buffer) => unknown;
};

/** Never read: they hold what a page says to its console, or what became of requests that were let go. */
const unheard = new Set([
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Network.requestWillBeSentExtraInfo',
  'Network.responseReceived',
  'Network.responseReceivedExtraInfo',
  'Network.dataReceived',
  'Network.loadingFinished',
]);

const readBytes = 256 * 1024;

/** Chromium's debugging pipe. Both what it reads and what it writes is wiped. */
export class Connection {
  readonly #to: Socket;
  readonly #from: Socket;
  readonly #hear: (event: CdpEvent) => void;
  readonly #reader = new MessageReader();
  readonly #waiting = new Map<number, Waiting>();
  /** Bodies of requests are left out of events as long as one of them may hold a secret. */
  readonly #isHolding: () => boolean;
  #lastId = 0;
  #gone = false;
  readonly ended: Promise<void>;
  #end: () => void = () => {};

  constructor(
    to: Socket,
    from: Socket,
    hear: (event: CdpEvent) => void,
    isHolding: () => boolean = () => false,
  ) {
    this.#to = to;
    this.#hear = hear;
    this.#isHolding = isHolding;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#from = readingInto(from, {
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback: (length, buffer) => {
        if (!this.#reader.read(Buffer.from(buffer.buffer, 0, length), (message) => this.#take(message)))
          this.close();
        return true;
      },
    });
    for (const socket of [this.#to, this.#from]) {
      socket.on('error', () => this.close());
      socket.on('close', () => this.close());
    }
    this.#from.on('end', () => this.close());
    this.#from.resume();
  }

  /** Rejects with a `CdpError` alone. */
  send<T = unknown>(method: string, params: object = {}, sending: Sending = {}): Promise<T> {
    if (this.#gone) return Promise.reject(new CdpError('gone', 'the browser is gone'));
    const id = ++this.#lastId;
    const { sessionId, slot, raw } = sending;
    const message = encodeCommand({ id, method, params, sessionId }, slot);
    slot?.value.fill(0);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { sessionId, raw, resolve: resolve as (result: unknown) => void, reject });
      this.#cork();
      this.#to.write(message, () => message.fill(0));
    });
  }

  /** Commands to a target that is gone are never answered. */
  forget(sessionId: string): void {
    for (const [id, one] of this.#waiting)
      if (one.sessionId === sessionId) {
        this.#waiting.delete(id);
        one.reject(new CdpError('page_gone', 'the page is gone'));
      }
  }

  close(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#to.destroy();
    this.#from.destroy();
    this.#reader.end();
    for (const { reject } of this.#waiting.values()) reject(new CdpError('gone', 'the browser is gone'));
    this.#waiting.clear();
    this.#end();
  }

  #take(message: Buffer): void {
    const id = idOf(message);
    if (id !== null) return this.#answer(id, message);
    const method = methodOf(message);
    if (method === 'Fetch.requestPaused') this.#takeRequest(message);
    // An address may act by being asked for, so those that read by their method are heard of as well.
    else if (method === 'Network.requestWillBeSent') this.#read(withoutBodies(message));
    else if (method !== null && !unheard.has(method)) this.#read(message);
  }

  #takeRequest(message: Buffer): void {
    const mayHold = this.#isHolding() || wasSent(message) || message.length > maxRequestBytes;
    const event = mayHold ? withoutBodies(message) : message;
    if (event.length <= maxRequestBytes) this.#read(event);
    else this.#turnDown(event);
  }

  #read(event: Buffer): void {
    if (event.length <= maxEventBytes) this.#hear(JSON.parse(event.toString('utf8')) as CdpEvent);
  }

  /** A request that is not read is not sent. */
  #turnDown(event: Buffer): void {
    const [requestId, sessionId] = [stringOf(event, 'requestId')?.toString('latin1'), sessionOf(event)];
    if (sessionId === null) return;
    const params = { requestId, errorReason: 'BlockedByClient' };
    this.send('Fetch.failRequest', params, { sessionId }).catch(() => undefined);
  }

  #answer(id: number, message: Buffer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    if (waiting.raw !== undefined && message.indexOf('"result":') !== -1) {
      waiting.resolve(waiting.raw(message));
      return;
    }
    const { result, error } = JSON.parse(message.toString('utf8')) as {
      result?: unknown;
      error?: { message: string };
    };
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new CdpError('refused', error.message));
  }

  /** Batches all messages of one turn of the event loop into a single write. */
  #cork(): void {
    if (this.#to.writableCorked > 0) return;
    this.#to.cork();
    process.nextTick(() => this.#to.uncork());
  }
}

/**
 * What is longer is not made text of, as that would hold up all other sessions: of a request that a page sends, and of
 * anything else, in which an address of two million signs may stand twice.
 */
const [maxRequestBytes, maxEventBytes] = [1024 * 1024, 4 * 1024 * 1024];

/** A request that was let go before: a secret may have been put into its body. */
const wasSent = (message: Buffer): boolean =>
  ['"redirectedRequestId":', '"responseStatusCode":', '"responseErrorReason":'].some((one) =>
    message.includes(one),
  );
