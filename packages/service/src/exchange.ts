import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** Reads an answer while it arrives. What a method throws ends the exchange, and its connection. */
export type AnswerReader = {
  readonly head: (status: number, headers: IncomingHttpHeaders) => void;
  readonly bytes: (chunk: Buffer) => void;
};

/**
 * Sends one request and hands its answer to `reader`. The streams, signals and iterators that undici's `request` makes
 * cost more than a small request itself: this leaves them out.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Resolves when the answer has been read to its end; rejects with what ended it before. */
  readonly done: Promise<void>;
  readonly #reader: AnswerReader;
  #resolve: () => void = () => {};
  #reject: (why: Error) => void = () => {};
  #controller: Dispatcher.DispatchController | null = null;
  #cancelled: Error | null = null;

  constructor(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, reader: AnswerReader) {
    this.#reader = reader;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    dispatcher.dispatch(request, this);
  }

  /** Ends it at once, and its connection; what still waits for a connection is never sent. */
  cancel(why: Error): void {
    this.#cancelled = why;
    this.#reject(why);
    this.#controller?.abort(why);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#cancelled !== null) controller.abort(this.#cancelled);
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    const isInterim = status < 200;
    if (!isInterim) this.#reader.head(status, headers);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#reader.bytes(chunk);
  }

  onResponseEnd(): void {
    this.#resolve();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#reject(error);
  }
}

export type TextAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | { readonly kind: 'failed'; readonly why: 'timeout' | 'unreachable' | 'too-large' };

/** Sends one request and reads its answer whole: at most `maxBytes`, within `timeoutMs`. Never rejects. */
export async function askForText(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<TextAnswer> {
  const text = new BoundedText(maxBytes);
  let status = 0;
  const exchange = new Exchange(dispatcher, request, {
    head: (received) => {
      status = received;
    },
    bytes: (chunk) => text.add(chunk),
  });
  const timer = setTimeout(() => exchange.cancel(late), timeoutMs);
  try {
    await exchange.done;
    return { kind: 'answer', status, text: text.toString() };
  } catch (error) {
    const why = error === late ? 'timeout' : error instanceof TextTooLong ? 'too-large' : 'unreachable';
    return { kind: 'failed', why };
  } finally {
    clearTimeout(timer);
  }
}

const late = new Error('no answer in time');

/** More arrived than may be read. */
export class TextTooLong extends Error {
  constructor() {
    super('the answer is too large');
    this.name = 'TextTooLong';
  }
}

/** UTF-8 text that arrives in pieces. Throws `TextTooLong` when it grows above `maxBytes`. */
export class BoundedText {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) throw new TextTooLong();
    this.#chunks.push(chunk);
  }

  toString(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
