import type { Clock } from '../src/core/session/clock.ts';

/** Time that stands still until a test lets it pass. */
export class FakeClock implements Clock {
  #now = 1_790_000_000_000;
  #timers: { readonly at: number; readonly act: () => void }[] = [];

  readonly now = (): number => this.#now;
  readonly elapsed = (): number => this.#now;

  readonly after = (ms: number, act: () => void): (() => void) => {
    const timer = { at: this.#now + ms, act };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { act } of due) act();
  }
}
