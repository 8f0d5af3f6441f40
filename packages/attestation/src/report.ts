import {
  exitCodes,
  type Step,
  stepText,
  type Verdict,
  verdictOf,
} from '@countersign/audit-log/verify/report';
import type { Evidence } from './evidence.ts';

export type AttestationReport = {
  /** A whole report with keys, or what a vendor's hardware gave, alone. */
  readonly kind: 'report' | 'evidence';
  /** Null when it was not recognized. */
  readonly evidence: Evidence['kind'] | null;
  readonly steps: readonly Step[];
  readonly isSimulated: boolean;
};

const endings: Readonly<Record<AttestationReport['kind'], Readonly<Record<Verdict, string>>>> = {
  report: {
    good: 'GOOD: genuine hardware vouches for these keys and for the program that you allow',
    bad: 'BAD: do not trust these keys',
    incomplete: 'INCOMPLETE: nothing is wrong, but not everything could be checked',
    simulated: 'GOOD, BUT SIMULATED: the report is consistent, and no hardware vouches for it',
  },
  evidence: {
    good: 'GOOD: this evidence is genuine',
    bad: 'BAD: this evidence is not genuine, or not acceptable',
    incomplete: 'INCOMPLETE: nothing is wrong, but not everything could be checked',
    simulated: 'GOOD, BUT SIMULATED: the quote is whole, and no hardware vouches for it',
  },
};

/** The report for people: one line a step, then the verdict. */
export const attestationText = (report: AttestationReport): string =>
  [...report.steps.map(stepText), endings[report.kind][verdictOf(report)], ''].join('\n');

/** The report for programs: one line. */
export function attestationJson(report: AttestationReport): string {
  const verdict = verdictOf(report);
  const { kind, evidence, steps } = report;
  return `${JSON.stringify({ verdict, exitCode: exitCodes[verdict], kind, evidence, steps })}\n`;
}
