import type { BusinessCheck } from '@countersign/protocol/dashboard/kyb';

/** The noes that are shown: what is decided lifts these, and no later one. */
export const rejectionsIn = (checks: readonly BusinessCheck[]): number[] =>
  checks.flatMap(({ rejection, liftedAt }) => (rejection === null || liftedAt !== null ? [] : [rejection]));
