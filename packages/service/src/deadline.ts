import { type Cancellation, Canceller } from './cancellation.ts';

export type Deadline = {
  readonly signal: Cancellation;
  /** Whether the time ran out, rather than the other signal. */
  readonly expired: () => boolean;
  /** Frees the timer: to be called when what it guards is over. */
  readonly end: () => void;
};

/**
 * A signal that aborts after `ms` milliseconds, or when `also` does. `AbortSignal.timeout` and `AbortSignal.any` say
 * the same, but each costs more than the request it guards.
 */
export function deadlineIn(ms: number, also?: Cancellation): Deadline {
  const signal = new Canceller();
  let expired = false;
  const abort = (): void => signal.abort();
  const timer = setTimeout(() => {
    expired = true;
    abort();
  }, ms);
  if (also?.aborted === true) abort();
  also?.addEventListener('abort', abort, { once: true });
  return {
    signal,
    expired: () => expired,
    end() {
      clearTimeout(timer);
      also?.removeEventListener('abort', abort);
    },
  };
}
