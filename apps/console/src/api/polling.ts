import { mayPass, type ProblemError } from './problem.ts';

/** What the last asking gave, and when, as a query knows it. */
type Asked = {
  readonly error: ProblemError | null;
  /** In milliseconds since 1970; 0 for never. */
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
};

const maxWaitMs = 60_000;

/** In how many milliseconds to ask again; after an error that may pass, once more as long as it has lasted; false after one that will not. */
export function askAgainIn(everyMs: number, { error, dataUpdatedAt, errorUpdatedAt }: Asked): number | false {
  if (error === null) return everyMs;
  return mayPass(error.problem) && Math.min(maxWaitMs, Math.max(everyMs, errorUpdatedAt - dataUpdatedAt));
}

/** The same about something that is over since then, or is not yet (null): once more after its end, for what is written down last. */
export const askUntilOver = (everyMs: number, overSince: number | null, asked: Asked): number | false =>
  (overSince === null || asked.dataUpdatedAt < overSince + everyMs) && askAgainIn(everyMs, asked);
