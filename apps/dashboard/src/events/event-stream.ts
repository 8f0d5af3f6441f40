import type { EventKind } from '@countersign/protocol/dashboard/events';
import type { SessionCaller } from '../callers.ts';
import type { Notice } from './notice.ts';

/** A browser that looks on. Notices wait in it, each thing once however often it changed, until the browser reads. */
export class EventStream {
  readonly caller: SessionCaller;
  /** The body, produced as it is read: a slow reader delays nobody else. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #read: ReadRecord;
  readonly #waiting = new Map<string, Subject>();
  #beats = 0;
  #ended = false;
  #wake = () => {};

  /** `onClosed` is called when nothing can be sent any more, which a slow browser may put off for long after `end`. */
  constructor(caller: SessionCaller, read: ReadRecord, onClosed: (stream: EventStream) => void) {
    this.caller = caller;
    this.#read = read;
    const opening = ['retry: 2000\n: open\n\n'];
    this.body = new ReadableStream(
      {
        pull: async (controller) => {
          const text = opening.pop() ?? (await this.#next());
          if (text !== null) return controller.enqueue(utf8.encode(text));
          onClosed(this);
          controller.close();
        },
        cancel: () => {
          this.end();
          onClosed(this);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Will tell of this thing. A browser so far behind that it cannot be told is sent away: it reads all anew. */
  push(subject: Subject): void {
    this.#waiting.set(`${subject.kind} ${subject.id}`, subject);
    if (this.#waiting.size > maxWaiting) this.end();
    this.#wake();
  }

  /** Shows that the connection lives; one that takes nothing for long is dead. */
  beat(): void {
    this.#beats += 1;
    if (this.#beats > maxBeats) this.end();
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The next piece of text to send, or null at the end. */
  async #next(): Promise<string | null> {
    for (;;) {
      if (this.#ended) return null;
      const [first] = this.#waiting;
      if (first !== undefined) {
        const [key, subject] = first;
        this.#waiting.delete(key);
        const data = await this.#read(subject, this.caller);
        // Gone meanwhile, or never this account's to see.
        if (data === null) continue;
        return `event: ${subject.kind}\ndata: ${JSON.stringify(data)}\n\n`;
      }
      if (this.#beats > 0) {
        this.#beats = 0;
        return ': still here\n\n';
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

export type Subject = { readonly kind: EventKind; readonly id: Notice['id'] };

/** The record as this caller may see it; null when there is none. */
export type ReadRecord = (subject: Subject, caller: SessionCaller) => Promise<object | null>;

const utf8 = new TextEncoder();
const maxWaiting = 1_000;
const maxBeats = 4;
