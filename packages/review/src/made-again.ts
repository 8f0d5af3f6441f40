import { exportObjection } from './export-objection.ts';
import { judgeTogether } from './judge-together.ts';
import {
  denies,
  type Judged,
  type Made,
  ofOperation,
  type RecordedRule,
  type RecordedVerdict,
  recordedVerdict,
  type RecordOfReview,
} from './recorded.ts';
import { heldAgain, lateAgain } from './requests-made-again.ts';
import { judge } from './review.ts';
import { type Flaw, needsNoVerdict, type NotJudged, whyNotJudged } from './unjudged.ts';

export type Again =
  | { readonly outcome: 'same' }
  /** `isMisplaced`: the same verdict leads to another record. */
  | {
      readonly outcome: 'differs';
      readonly recorded: Judged;
      readonly made: Judged;
      readonly isMisplaced: boolean;
    }
  /** Nothing can be made of it; `recorded` is null where it has no verdict that can be read. */
  | {
      readonly outcome: 'differs';
      readonly recorded: Judged | null;
      readonly made: null;
      readonly flaw: Flaw;
    }
  | ({ readonly outcome: 'not-judged' } & NotJudged);

/** So many operations are under way at once at most, whatever a hostile file says. */
const maxUnderWay = 10_000;

const reviewed = new Set(['sandbox_operation', 'policy_rejected', 'human_approval_requested']);

/** Makes the verdicts of an audit log again, record by record in their order, by the rules of this build. */
export class MadeAgain {
  readonly #rulesDigest: string;
  /** The first place in the log of a record that names its rules: those after it do too. A bundle may have them in any order. */
  #named = Number.POSITIVE_INFINITY;
  #told = 0;
  /** What was found about operations that are under way: requests that they set off are recorded with it. */
  readonly #underWay = new Map<string, readonly RecordedRule[]>();

  constructor(rulesDigest: string) {
    this.#rulesDigest = rulesDigest;
  }

  /** Null for a record of no verdict. */
  again(record: RecordOfReview): Again | null {
    const { eventType, detail } = record;
    if (!reviewed.has(eventType)) return null;
    const read = recordedVerdict.safeParse(detail);
    if (!read.success) return this.#withoutVerdict(record);
    const recorded = read.data;
    const { leafIndex = this.#told } = record;
    this.#told += 1;
    const wasNamed = this.#named < leafIndex;
    const unjudged = whyNotJudged(record, recorded, { own: this.#rulesDigest, wasNamed });
    if (recorded.rulesDigest !== undefined) this.#named = Math.min(this.#named, leafIndex);
    const again = unjudged === null ? this.#judged(record, recorded) : notMade(unjudged, recorded);
    if (eventType === 'policy_rejected') this.#underWay.delete(recorded.operationId ?? '');
    return again;
  }

  /** An outcome, a picture: nothing to judge. What has a verdict that cannot be read, or facts and none, was changed. */
  #withoutVerdict(record: RecordOfReview): Again | null {
    const { detail } = record;
    if (detail['phase'] === 'outcome') this.#underWay.delete(String(detail['operationId']));
    return needsNoVerdict(record) ? null : flawed('no-verdict', null);
  }

  #judged({ eventType, detail }: RecordOfReview, recorded: RecordedVerdict): Again {
    const { operationId = '', verdict, rules } = recorded;
    const of = this.#underWay.get(operationId);
    const made = madeOf({ eventType, detail }, recorded, of ?? []);
    if (typeof made === 'string') return flawed(made, recorded);
    // What was found about the operation is missing, and no more than that.
    if ('requests' in detail && of === undefined && made.fits && made.verdict === verdict)
      return notMade({ why: 'operation-missing' }, recorded);
    if (eventType !== 'policy_rejected') this.#remember(operationId, made.rules);
    return compared({ verdict, rules }, made);
  }

  #remember(operationId: string, rules: readonly RecordedRule[]): void {
    this.#underWay.delete(operationId);
    this.#underWay.set(operationId, rules);
    const [oldest = ''] = this.#underWay.keys();
    if (this.#underWay.size > maxUnderWay) this.#underWay.delete(oldest);
  }
}

/** `of`: what was found about the operation that set off the requests. */
function madeOf(
  { eventType, detail }: RecordOfReview,
  recorded: RecordedVerdict,
  of: readonly RecordedRule[],
): Made | Flaw {
  if ('requests' in detail) return heldAgain(eventType, detail, of);
  if ('request' in detail) return lateAgain(eventType, detail);
  return operationAgain(eventType, detail, recorded);
}

function compared(recorded: Judged, { verdict, rules, fits }: Made): Again {
  const isSame = recorded.verdict === verdict && listed(recorded.rules) === listed(rules);
  return isSame && fits
    ? { outcome: 'same' }
    : { outcome: 'differs', recorded, made: { verdict, rules }, isMisplaced: isSame };
}

/** Of a record that is none of the review's. */
const flawed = (flaw: Flaw, recorded: RecordedVerdict | null): Again => ({
  outcome: 'differs',
  recorded: recorded && { verdict: recorded.verdict, rules: recorded.rules },
  made: null,
  flaw,
});

const notMade = (why: NotJudged | Flaw, recorded: RecordedVerdict): Again =>
  typeof why === 'string' ? flawed(why, recorded) : { outcome: 'not-judged', ...why };

const listed = (rules: readonly RecordedRule[]): string =>
  JSON.stringify(rules.map(({ rule, verdict }) => [rule, verdict]));

function operationAgain(
  eventType: string,
  detail: RecordOfReview['detail'],
  { operationType, approvedBy }: RecordedVerdict,
): Made | Flaw {
  const read = ofOperation.safeParse(detail);
  if (!read.success) return 'facts-unreadable';
  const { facts, secondJudge, beyondFacts = [] } = read.data;
  if (judgedAs(operationType) !== facts.operation.type) return 'other-operation';
  const alone = secondJudge === undefined ? judge(facts) : judgeTogether(facts, secondJudge);
  const rules = [...alone.rules, ...beyondFacts.map(denies)];
  const verdict = beyondFacts.length > 0 ? 'deny' : alone.verdict;
  const isDone =
    operationType === 'export'
      ? exportObjection(facts, rules) === null
      : verdict === 'allow' || (verdict === 'ask' && approvedBy !== undefined);
  const waits = verdict === 'ask' && operationType !== 'export';
  const leadsTo = isDone ? 'sandbox_operation' : waits ? 'human_approval_requested' : 'policy_rejected';
  return { verdict, rules, fits: eventType === leadsTo };
}

/** An export is judged as the reading that it is. */
const judgedAs = (operationType: string | undefined): string | undefined =>
  operationType === 'export' ? 'extract' : operationType;
