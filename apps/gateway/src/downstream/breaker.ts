import { within } from '../within.ts';

/** So many calls in a row without an answer in time, and the service itself is asked whether it still lives. */
const tolerated = 5;
/** How long a call waits for that answer, in milliseconds. */
const patienceMs = 1000;
const askAgainAfterMs = 2000;

/**
 * Keeps calls away from a service that hangs. Tools may be slow and the service well, so calls that were late decide
 * nothing: `probe` does. While it has not resolved, nothing is admitted; every two seconds it is tried again.
 */
export class Breaker {
  readonly #probe: () => Promise<unknown>;
  #late = 0;
  #answeredAt = 0;
  #asking: Promise<void> | null = null;
  #askAgainAt = 0;

  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  /** A call was answered, in whatever way. */
  answered(): void {
    this.#late = 0;
    this.#answeredAt = Date.now();
  }

  /** A call was not answered in time. One that began before the last answer says nothing new. `beganAt` is Unix ms. */
  late(beganAt: number): void {
    if (beganAt <= this.#answeredAt) return;
    this.#late += 1;
    if (this.#late === tolerated) this.#ask();
  }

  /** Returns whether a call may be sent now. */
  async admits(): Promise<boolean> {
    if (this.#late < tolerated) return true;
    this.#ask();
    if (this.#asking !== null) await within(this.#asking, patienceMs);
    return this.#late < tolerated;
  }

  #ask(): void {
    if (this.#asking !== null || Date.now() < this.#askAgainAt) return;
    const asking = this.#probe().then(
      () => this.answered(),
      () => {
        this.#askAgainAt = Date.now() + askAgainAfterMs;
      },
    );
    this.#asking = asking.finally(() => {
      this.#asking = null;
    });
  }
}
