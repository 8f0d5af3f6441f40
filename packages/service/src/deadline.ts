import { type Cancellation, Canceller } from './cancellation.ts';

export type Deadline = {
  readonly signal: Cancellation;
  /** Returns whether the time ran out, rather than the other signal. */
  readonly expired: () => boolean;
  /** Begins the time anew, up to the longest that was agreed. */
  readonly prolong: () => void;
  /** Frees the timer: to be called when what it guards is over. */
  readonly end: () => void;
};

/**
 * A signal that aborts after `ms` milliseconds, or when `also` does. `AbortSignal.timeout` and `AbortSignal.any` say
 * the same, but each costs more than the request it guards. `maxMs` bounds all that `prolong` adds.
 */
export function deadlineIn(ms: number, also?: Cancellation, maxMs: number = ms): Deadline {
  const signal = new Canceller();
  let expired = false;
  const abort = (): void => signal.abort();
  const expire = (): void => {
    expired = true;
    abort();
  };
  const endsAt = performance.now() + maxMs;
  let timer = setTimeout(expire, ms);
  if (also?.aborted === true) abort();
  also?.addEventListener('abort', abort, { once: true });
  return {
    signal,
    expired: () => expired,
    prolong() {
      if (signal.aborted) return;
      clearTimeout(timer);
      timer = setTimeout(expire, Math.min(ms, endsAt - performance.now()));
    },
    end() {
      clearTimeout(timer);
      also?.removeEventListener('abort', abort);
    },
  };
}
