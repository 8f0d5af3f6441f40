import type { ObservedTarget } from '../observation.ts';

/** A secret that a request takes along, and what its field was, as a person saw it. */
export type Put = {
  /** It was let in because a log-in stood there; else a person agreed to what stood there. */
  readonly asLogin: boolean;
  /** When it was filled. */
  readonly was: ObservedTarget;
  /** When the last operation began that acted; null: it is gone. */
  readonly before: ObservedTarget | null;
  /** When the request was about to leave; null: it is gone; `unknown`: its page did not answer in time. */
  readonly now: ObservedTarget | null | 'unknown';
};

/** Of the last operation that acted. */
export type SetOff = {
  /** It was at what a person takes for a log-in. */
  readonly isLogin: boolean;
  /** What it was done to is called. */
  readonly names: readonly string[];
};
