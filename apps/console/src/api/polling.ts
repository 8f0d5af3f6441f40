import { mayPass, type ProblemError } from './problem.ts';

/** The result and time of the last poll, as a query knows them. */
type Asked = {
  readonly error: ProblemError | null;
  /** In milliseconds since 1970; 0 for never. */
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
};

const maxWaitMs = 60_000;

/**
 * Returns the delay until the next poll in milliseconds. It grows with the duration of a transient error;
 * false after a permanent one.
 */
export function askAgainIn(everyMs: number, { error, dataUpdatedAt, errorUpdatedAt }: Asked): number | false {
  if (error === null) return everyMs;
  return mayPass(error.problem) && Math.min(maxWaitMs, Math.max(everyMs, errorUpdatedAt - dataUpdatedAt));
}

/** The same about something that is over since then, or is not yet (null): once more after its end, for what is written down last. */
export const askUntilOver = (everyMs: number, overSince: number | null, asked: Asked): number | false =>
  (overSince === null || asked.dataUpdatedAt < overSince + everyMs) && askAgainIn(everyMs, asked);
