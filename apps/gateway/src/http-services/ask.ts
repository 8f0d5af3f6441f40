import type { IncomingHttpHeaders } from 'node:http';
import { Bytes } from '@countersign/service/bytes';
import type { Cancellation } from '@countersign/service/cancellation';
import { type AnswerReader, Exchange } from '@countersign/service/exchange';
import type { Pool } from 'undici';
import type { Method } from './operation.ts';

/** A service's response. `cut`: why its body is incomplete; null if it is complete. */
export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly cut: 'too-large' | 'late' | 'broken' | null;
};

type Request = {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Returns the maximum number of body bytes to read, given status and headers. */
export type Limit = (status: number, headers: IncomingHttpHeaders) => number;

/**
 * Sends one request, once. Rejects when no answer came before `signal`; of one that had begun it gives what there is, for its
 * headers may say that money has moved.
 */
export function ask(pool: Pool, request: Request, signal: Cancellation, limit: Limit): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const reader = new Reader(limit, resolve, reject);
    const exchange = new Exchange(pool, request, reader);
    const abort = (): void => exchange.cancel(late);
    reader.onOver = () => signal.removeEventListener('abort', abort);
    reader.onFull = () => exchange.cancel(tooLarge);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

class Reader implements AnswerReader {
  onOver: () => void = () => {};
  onFull: () => void = () => {};
  readonly #limit: Limit;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (why: Error) => void;
  #head: Pick<Answer, 'status' | 'headers'> | null = null;
  #left = 0;
  readonly #bytes = new Bytes();

  constructor(limit: Limit, resolve: (answer: Answer) => void, reject: (why: Error) => void) {
    this.#limit = limit;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    this.#head = { status, headers };
    this.#left = this.#limit(status, headers);
  }

  bytes(chunk: Buffer): void {
    if (chunk.length > 0 && this.#left >= 0) this.#bytes.add(chunk.subarray(0, this.#left));
    this.#left -= chunk.length;
    if (this.#left < 0) this.onFull();
  }

  end(): void {
    this.#give(null);
  }

  failed(why: Error): void {
    if (why === tooLarge) this.#give('too-large');
    else if (this.#head !== null) this.#give(why === late ? 'late' : 'broken');
    else {
      this.onOver();
      this.#reject(why);
    }
  }

  #give(cut: Answer['cut']): void {
    this.onOver();
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    this.#resolve({ status, headers, body: this.#bytes.whole(), cut });
  }
}

const late = new Error('no answer in time');
const tooLarge = new Error('the answer is too large');
