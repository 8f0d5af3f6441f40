import type { NotJudged } from '@countersign/review/unjudged';
import type { Judged } from '@countersign/review/recorded';

/** One record that is not what the rules say: `what` in words. `made` is null where none follows from it, `recorded` where it has no verdict. */
export type Difference = {
  readonly auditId: string;
  readonly line?: number;
  readonly recorded: Judged | null;
  readonly made: Judged | null;
  readonly what: string;
};

/** What became of the verdicts of a file. */
export type ReviewsReport = {
  /** Of the rules by which they were made again. */
  readonly rulesDigest: string;
  readonly madeAgain: number;
  readonly differ: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  readonly notJudged: number;
  readonly whyNotJudged: readonly (NotJudged & { readonly records: number })[];
};
