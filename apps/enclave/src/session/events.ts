import type { CommandReply } from '@countersign/protocol/enclave/commands';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { Clock } from './clock.ts';

type Batch = CommandReply<'session.events'>;

/** So many of the newest are kept. */
const maxKept = 4096;
const maxAtOnce = 500;

/**
 * What happens in all sessions, in order. Each event has a number, which is the cursor of whoever has seen it; numbers begin
 * at the time of the start, so that those of another start are told apart.
 */
export class EventLog {
  readonly #clock: Clock;
  readonly #kept: Batch['events'] = [];
  readonly #waiting = new Set<() => void>();
  #newest: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#newest = clock.now() * 1000;
  }

  add(sessionId: string, event: SessionEvent): void {
    this.#kept.push({ sessionId, event });
    if (this.#kept.length > maxKept) this.#kept.shift();
    this.#newest += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Those after the cursor (0: from now on), as soon as there are any, or none after `waitMs`. */
  async after(cursor: number, waitMs: number): Promise<Batch> {
    const from = cursor === 0 ? this.#newest : cursor;
    if (from === this.#newest && waitMs > 0) await this.#next(waitMs);
    const oldest = this.#newest - this.#kept.length;
    const missed = from < oldest || from > this.#newest;
    const start = missed ? oldest : from;
    const events = this.#kept.slice(start - oldest, start - oldest + maxAtOnce);
    return { cursor: start + events.length, missed, events };
  }

  #next(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        cancel();
        resolve();
      };
      const cancel = this.#clock.after(waitMs, wake);
      this.#waiting.add(wake);
    });
  }
}
