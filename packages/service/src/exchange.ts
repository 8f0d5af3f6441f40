import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { Bytes } from './bytes.ts';

/** Reads an answer while it arrives. What `head` or `bytes` throws ends the exchange, and its connection. */
export type AnswerReader = {
  readonly head: (status: number, headers: IncomingHttpHeaders) => void;
  readonly bytes: (chunk: Buffer) => void;
  /** The answer has been read to its end. Either this or `failed` is called, once. */
  readonly end: () => void;
  readonly failed: (why: Error) => void;
};

/**
 * Sends one request and hands its answer to `reader`. The streams, signals and iterators that undici's `request` makes
 * cost more than a small request itself: this leaves them out.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #reader: AnswerReader;
  #controller: Dispatcher.DispatchController | null = null;
  #cancelled: Error | null = null;
  #isOver = false;

  constructor(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, reader: AnswerReader) {
    this.#reader = reader;
    dispatcher.dispatch(request, this);
  }

  /** Ends it at once, and its connection; what still waits for a connection is never sent. */
  cancel(why: Error): void {
    this.#cancelled = why;
    this.onResponseError(null, why);
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
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader.end();
  }

  onResponseError(_: unknown, why: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader.failed(why);
  }
}

type Patience = { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined };
type Limits = Patience & { readonly maxBytes: number };

type Unanswered = {
  readonly kind: 'failed';
  readonly why: 'timeout' | 'unreachable' | 'aborted' | 'too-large';
};
export type TextAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | Unanswered;
type PiecesAnswer = { readonly kind: 'answer'; readonly status: number } | Unanswered;

/** Sends one request and reads its answer whole: at most `maxBytes`, within `timeoutMs`, until `signal`. Never rejects. */
export async function askForText(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { maxBytes, ...patience }: Limits,
): Promise<TextAnswer> {
  const text = new BoundedText(maxBytes);
  const answer = await askInPieces(dispatcher, request, patience, (piece) => text.add(piece));
  return answer.kind === 'answer' ? { ...answer, text: text.toString() } : answer;
}

/**
 * Sends one request and hands over what it answers while it arrives, whatever its status: within `timeoutMs`, until `signal`
 * or until `take` throws `TextTooLong`. Never rejects.
 */
export function askInPieces(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, signal }: Patience,
  take: (piece: Buffer) => void,
): Promise<PiecesAnswer> {
  return new Promise((resolve) => {
    let status = 0;
    const timer = setTimeout(() => exchange.cancel(late), timeoutMs);
    const abort = () => exchange.cancel(aborted);
    const settle = (answer: PiecesAnswer) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(answer);
    };
    const exchange = new Exchange(dispatcher, request, {
      head(received) {
        status = received;
      },
      bytes: take,
      end() {
        settle({ kind: 'answer', status });
      },
      failed(error) {
        settle({ kind: 'failed', why: whyFailed(error) });
      },
    });
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

function whyFailed(error: Error): Unanswered['why'] {
  if (error === late) return 'timeout';
  if (error === aborted) return 'aborted';
  return error instanceof TextTooLong ? 'too-large' : 'unreachable';
}

const late = new Error('no answer in time');
const aborted = new Error('nobody waits for the answer any more');

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
  readonly #bytes = new Bytes();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    if (this.#bytes.size + chunk.length > this.#maxBytes) throw new TextTooLong();
    this.#bytes.add(chunk);
  }

  toString(): string {
    return this.#bytes.whole().toString('utf8');
  }
}
