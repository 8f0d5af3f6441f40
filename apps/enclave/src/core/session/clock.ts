/** Time, as sessions know it. */
export type Clock = {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds since some moment, with fractions; never goes back. */
  readonly elapsed: () => number;
  /** Calls once, after so many milliseconds, unless what it gives is called before. */
  readonly after: (ms: number, act: () => void) => () => void;
};

export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
