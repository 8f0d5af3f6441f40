import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { type Again, MadeAgain } from '@countersign/review/made-again';
import type { Judged } from '@countersign/review/recorded';
import { rulesDigest } from '@countersign/review/rules-digest';
import type { Flaw, NotJudged } from '@countersign/review/unjudged';
import { fails, holds, type Step, told } from './report.ts';
import type { Difference, ReviewsReport } from './reviews-report.ts';

type Differs = Extract<Again, { outcome: 'differs' }>;

/** Those that are told one by one, and reasons that are told apart: what a hostile file may make us remember. */
const [maxTold, maxReasons] = [20, 100];

/** Makes the verdicts of the records of one file again, in their order. */
export class ReviewsCheck {
  readonly #madeAgain = new MadeAgain(rulesDigest);
  readonly #differences: Difference[] = [];
  readonly #reasons = new Map<string, NotJudged & { readonly records: number }>();
  #same = 0;
  #differ = 0;
  #notJudged = 0;

  /** `line` is where in the file it stands, in a file of lines. */
  record(record: AuditRecord, line?: number): void {
    const again = this.#madeAgain.again(record);
    switch (again?.outcome) {
      case undefined:
        return;
      case 'same':
        this.#same += 1;
        return;
      case 'differs':
        this.#differ += 1;
        if (this.#differences.length < maxTold) this.#differences.push(difference(record, again, line));
        return;
      case 'not-judged':
        this.#notJudged += 1;
        this.#count(again);
        return;
    }
  }

  #count(again: Extract<Again, { outcome: 'not-judged' }>): void {
    const { outcome: _, ...reason } = again;
    const key = JSON.stringify(reason);
    const known = this.#reasons.get(key) ?? { ...reason, records: 0 };
    if (known.records > 0 || this.#reasons.size < maxReasons)
      this.#reasons.set(key, { ...known, records: known.records + 1 });
  }

  made(): { readonly steps: readonly Step[]; readonly report: ReviewsReport } {
    const report = {
      rulesDigest,
      madeAgain: this.#same,
      differ: this.#differ,
      differences: this.#differences,
      notJudged: this.#notJudged,
      whyNotJudged: [...this.#reasons.values()],
    };
    return { steps: stepsOf(report), report };
  }
}

/** The same for people. */
function stepsOf({
  madeAgain,
  differ,
  differences,
  notJudged,
  whyNotJudged,
  rulesDigest: by,
}: ReviewsReport): readonly Step[] {
  const untold = differ - differences.length;
  return [
    ...differences.map(({ auditId, what, line }) => fails(`${clean(auditId)}: ${what}`, line)),
    ...(untold > 0 ? [fails(`and ${untold} more verdicts are not what the rules say`)] : []),
    ...(madeAgain > 0 ? [holds(`${verdictsOf(madeAgain)} made again by rules ${by}: the same`)] : []),
    ...(notJudged > 0 ? [told(`${verdictsOf(notJudged)} not made again`)] : []),
    ...whyNotJudged.map((why) => told(`  ${why.records}: ${textOf(why)}`)),
  ];
}

const verdictsOf = (count: number): string => (count === 1 ? '1 verdict' : `${count} verdicts`);

function textOf(reason: NotJudged): string {
  switch (reason.why) {
    case 'earlier-build':
      return 'recorded by an earlier build, which did not say by which rules';
    case 'other-rules':
      return `judged by other rules than this build has, ${reason.about}: take the release that has them`;
    case 'facts-too-large':
      return 'refused because the facts did not fit into a record, which has their digest alone';
    case 'operation-missing':
      return 'of requests whose operation has no record before them in this file';
    case 'no-facts':
      return `not by the rules of the review (${reason.about}): the record has no facts`;
  }
}

function difference(record: AuditRecord, again: Differs, line?: number): Difference {
  const { recorded, made } = again;
  return {
    auditId: record.auditId,
    ...(line !== undefined && { line }),
    recorded,
    made,
    what: whatOf(record.eventType, again),
  };
}

function whatOf(eventType: string, again: Differs): string {
  if (again.made === null) return flaws[again.flaw];
  const { recorded, made, isMisplaced } = again;
  const verdict = said(made);
  return isMisplaced
    ? `the rules say ${verdict}, and that does not lead to ${eventType}`
    : `the record says ${said(recorded)}, and the rules say ${verdict}`;
}

const flaws: Readonly<Record<Flaw, string>> = {
  'no-verdict': 'it has no verdict, and only outcomes, pictures and executions have none',
  'no-facts': 'it has no facts, and is none of the refusals that have none',
  'facts-unreadable': 'what stands where its facts should be are no facts',
  'not-too-large': 'it has a digest in place of facts, and was not refused because they are too large',
  'other-operation': 'its facts are of another operation than it names',
  'no-digest': 'it does not say by which rules, and a record before it does',
};

/** At most so many rules stand in a line for people; all are in the JSON. */
const maxRules = 8;

const said = ({ verdict, rules }: Judged): string => {
  const named = rules.slice(0, maxRules).map(({ rule, verdict: own }) => `${clean(rule)} (${own})`);
  const rest = rules.length > maxRules ? `, and ${rules.length - maxRules} more` : '';
  return `${verdict} by ${named.join(', ') || 'no rule'}${rest}`;
};

/** A hostile file may write anything where the id of a rule or of a record stands. */
const clean = (id: string): string => id.replace(/[^a-z0-9._-]/gi, '?').slice(0, 64);
