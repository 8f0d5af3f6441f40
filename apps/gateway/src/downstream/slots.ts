import type { Cancellation } from '@countersign/service/cancellation';

/** Limits for one service: calls in flight, and calls that wait for a slot. */
const maxAtOnce = 128;
const maxWaiting = 1024;

/** Bounds the calls that one service has in work, in order of arrival. */
export class Slots {
  #used = 0;
  readonly #waiting = new Set<() => void>();

  /** Takes a slot as soon as one is free. `full` and `late`: none was taken; the signal ends the waiting. */
  async enter(signal: Cancellation): Promise<'entered' | 'full' | 'late'> {
    if (this.#used < maxAtOnce) {
      this.#used += 1;
      return 'entered';
    }
    if (this.#waiting.size >= maxWaiting) return 'full';
    return this.#wait(signal);
  }

  /** Takes a slot at once, even one too many: a signed payment must not wait, for its life is running. */
  force(): void {
    this.#used += 1;
  }

  leave(): void {
    this.#used -= 1;
    if (this.#used >= maxAtOnce) return;
    const [next] = this.#waiting;
    next?.();
  }

  #wait(signal: Cancellation): Promise<'entered' | 'late'> {
    return new Promise((resolve) => {
      const enter = (): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener('abort', giveUp);
        this.#used += 1;
        resolve('entered');
      };
      const giveUp = (): void => {
        this.#waiting.delete(enter);
        resolve('late');
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(enter);
      if (signal.aborted) giveUp();
    });
  }
}
