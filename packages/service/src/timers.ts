import type { Cancellation } from './cancellation.ts';
import { type Every, every } from './every.ts';

/** Takes a timer back; one that has fired already is left as it is. */
type Stop = () => void;

/**
 * A process's timers. They are passed in wherever money depends on the order of events, so that a simulation
 * can choose that order.
 */
export type Timers = {
  /** Resolves after so many milliseconds, or as soon as `signal` aborts. Never rejects. */
  readonly pause: (ms: number, signal?: Cancellation) => Promise<void>;
  /** Calls `work` once after so many milliseconds. Keeps no process alive. */
  readonly after: (ms: number, work: () => void) => Stop;
  /** Calls `work` every so many milliseconds. Keeps no process alive. */
  readonly every: Every;
};

/** Those of the machine. */
export const systemTimers: Timers = {
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    }),
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
  every,
};
