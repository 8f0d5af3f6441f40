import type { CommandReply } from '@countersign/protocol/enclave/commands';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import type { Clock } from './clock.ts';

type Batch = CommandReply<'session.events'>;

/** So many of the newest are kept. */
const maxKept = 4096;
const maxAtOnce = 500;
/**
 * What operations tell is told so many milliseconds late, which is mostly all of one together: each answer is read and asked for anew by
 * both sides, while the operation waits for them.
 */
const gatherMs = 50;

/**
 * What happens in all sessions, in order. Each event has a number, which is the cursor of whoever has seen it; numbers begin
 * at the time of the start, so that those of another start are told apart.
 */
export class EventLog {
  readonly #clock: Clock;
  readonly #kept: Batch['events'] = [];
  readonly #waiting = new Set<() => void>();
  #newest: number;
  /** Ends the wait for more; null where there is none. */
  #endGathering: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#newest = clock.now() * 1000;
  }

  add(sessionId: string, event: SessionEvent): void {
    this.#kept.push({ sessionId, event });
    if (this.#kept.length > maxKept) this.#kept.shift();
    this.#newest += 1;
    if (event.type === 'session.state') this.#tellAll();
    else this.#endGathering ??= this.#clock.after(gatherMs, () => this.#tellAll());
  }

  #tellAll(): void {
    this.#endGathering?.();
    this.#endGathering = null;
    for (const wake of this.#waiting) wake();
  }

  /** Those after the cursor (0: from now on), as soon as they are told, or what there is after `waitMs`. */
  async after(cursor: number, waitMs: number): Promise<Batch> {
    const from = cursor === 0 ? this.#newest : cursor;
    if ((from === this.#newest || this.#endGathering !== null) && waitMs > 0) await this.#next(waitMs);
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
