import type { Checkpoint } from '../checkpoint.ts';

/** `fails`: not what the log wrote. `missing`: cannot be decided from what is there. `told`: for the reader only. */
type Outcome = 'holds' | 'fails' | 'missing' | 'told';

/** One thing that was checked, in plain words. */
export type Step = {
  readonly outcome: Outcome;
  readonly what: string;
  /** Where in the file; for what concerns one line. */
  readonly line?: number;
};

export type Report = {
  readonly kind: 'export' | 'tlog-proof' | 'proof-bundle';
  readonly steps: readonly Step[];
  /** No hardware vouches for what is in the file. */
  readonly isSimulated: boolean;
  /** The root that may be looked for on chain; null when the file has none. */
  readonly head: Checkpoint | null;
};

export type Verdict = 'good' | 'bad' | 'incomplete' | 'simulated';

export const exitCodes = { good: 0, bad: 1, incomplete: 2, simulated: 3 } as const satisfies Record<
  Verdict,
  number
>;

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
  good: 'GOOD: this is what the log wrote, whole and unchanged',
  bad: 'BAD: this is not what the log wrote',
  incomplete: 'INCOMPLETE: nothing is wrong, but not everything could be checked',
  simulated: 'GOOD, BUT SIMULATED: this is what the log wrote, and no hardware vouches for the log',
};

/** One step for people. */
export const stepText = ({ outcome, what, line }: Step): string =>
  `${marks[outcome]}${line === undefined ? '' : `line ${line}: `}${what}`;

/** The report for people: one line a step, then the verdict. */
export const reportText = (report: Report): string =>
  [...report.steps.map(stepText), endings[verdictOf(report)], ''].join('\n');

/** The report for programs. */
export function reportJson(report: Report): string {
  const verdict = verdictOf(report);
  return `${JSON.stringify({ verdict, exitCode: exitCodes[verdict], kind: report.kind, steps: report.steps })}\n`;
}
