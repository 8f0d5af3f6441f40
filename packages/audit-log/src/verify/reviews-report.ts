import type { NotJudged } from '@countersign/review/unjudged';
import type { Judged } from '@countersign/review/recorded';

/**
 * A record that differs from what the rules yield; `what` in words. `made` is null if nothing follows from
 * the record, `recorded` if it has no verdict.
 */
export type Difference = {
  readonly auditId: string;
  readonly line?: number;
  readonly recorded: Judged | null;
  readonly made: Judged | null;
  readonly what: string;
};

/** The result of evaluating a file's verdicts again. */
export type ReviewsReport = {
  /** Digest of the rules that were applied. */
  readonly rulesDigest: string;
  readonly madeAgain: number;
  readonly differ: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  readonly notJudged: number;
  readonly whyNotJudged: readonly (NotJudged & { readonly records: number })[];
};
