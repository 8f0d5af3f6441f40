import type { Checkpoint } from '../checkpoint.ts';
import { asciiJson } from './ascii-json.ts';
import type { ReviewsReport } from './reviews-report.ts';

/** `fails`: not what the log wrote. `missing`: cannot be decided from what is there. `told`: for the reader only. */
type Outcome = 'holds' | 'fails' | 'missing' | 'told';

/** One check and its result, in plain words. */
export type Step = {
  readonly outcome: Outcome;
  readonly what: string;
  /** The line of the file, for a check that concerns one line. */
  readonly line?: number;
};

export type Report = {
  readonly kind: 'export' | 'tlog-proof' | 'proof-bundle';
  readonly steps: readonly Step[];
  /** No hardware vouches for what is in the file. */
  readonly isSimulated: boolean;
  /** The root that may be looked for on chain; null when the file has none. */
  readonly head: Checkpoint | null;
  /** The result of evaluating the review's verdicts again; absent unless it was asked for. */
  readonly reviews?: { readonly steps: readonly Step[]; readonly report: ReviewsReport };
};

export type Verdict = 'good' | 'bad' | 'incomplete' | 'simulated';

export const exitCodes = { good: 0, bad: 1, incomplete: 2, simulated: 3 } as const satisfies Record<
  Verdict,
  number
>;

/** EX_USAGE of sysexits.h: nothing was judged. */
export const wrongCall = 64;

export function verdictOf({ steps, isSimulated }: Pick<Report, 'steps' | 'isSimulated'>): Verdict {
  const has = (outcome: Outcome): boolean => steps.some((step) => step.outcome === outcome);
  if (has('fails')) return 'bad';
  if (has('missing')) return 'incomplete';
  return isSimulated ? 'simulated' : 'good';
}

export const holds = (what: string): Step => ({ outcome: 'holds', what });
export const fails = (what: string, line?: number): Step => ({
  outcome: 'fails',
  what,
  ...(line !== undefined && { line }),
});
export const missing = (what: string): Step => ({ outcome: 'missing', what });
export const told = (what: string): Step => ({ outcome: 'told', what });

/** The step of a check that has only two ends. */
export const step = (isGood: boolean, good: string, bad: string): Step => (isGood ? holds(good) : fails(bad));

const marks: Readonly<Record<Outcome, string>> = {
  holds: 'ok      ',
  fails: 'BAD     ',
  missing: 'missing ',
  told: 'note    ',
};

const endings: Readonly<Record<Verdict, string>> = {
  good: 'GOOD: this is what the log wrote, complete and unchanged',
  bad: 'BAD: this is not what the log wrote',
  incomplete: 'INCOMPLETE: nothing is wrong, but not everything could be checked',
  simulated: 'GOOD, BUT SIMULATED: this is what the log wrote, but no hardware backs the log',
};

/**
 * Returns one step as text for people. Invisible and bidirectional characters of a hostile file become `?`.
 */
export const stepText = ({ outcome, what, line }: Step): string =>
  `${marks[outcome]}${line === undefined ? '' : `line ${line}: `}${what.replace(unseen, '?')}`;
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

type End = {
  readonly verdict: Verdict | 'none';
  readonly exitCode: number;
  readonly text: string;
};

/**
 * Returns the overall result: the file's, unless its verdicts were to be evaluated again and they differ, or
 * none could be.
 */
export function endOf(report: Report): End {
  const verdict = verdictOf(report);
  const made = report.reviews?.report;
  const file: End = { verdict, exitCode: exitCodes[verdict], text: endings[verdict] };
  if (made === undefined || verdict === 'bad') return file;
  if (made.differ > 0) return { verdict: 'bad', exitCode: exitCodes.bad, text: differs };
  return made.madeAgain > 0 ? file : { verdict: 'none', exitCode: wrongCall, text: noVerdict };
}

const differs = 'BAD: this is what the log wrote, and not every verdict in it is what the rules say';
const noVerdict = 'NOT JUDGED: no verdict of the review could be made again';

const stepsOf = ({ steps, reviews }: Report): readonly Step[] => [...steps, ...(reviews?.steps ?? [])];

/** The report for people: one line a step, then the verdict. */
export const reportText = (report: Report): string =>
  [...stepsOf(report).map(stepText), endOf(report).text, ''].join('\n');

/** The report for programs. */
export function reportJson(report: Report): string {
  const { verdict, exitCode, text } = endOf(report);
  const { kind, reviews } = report;
  const error = verdict === 'none' ? { error: text } : {};
  return `${asciiJson({ verdict, exitCode, kind, steps: stepsOf(report), reviews: reviews?.report, ...error })}\n`;
}
