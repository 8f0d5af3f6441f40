import { createHash } from 'node:crypto';
import type { OperationReview, RuleFinding } from '@countersign/protocol/vault/review';
import type { BeyondFacts } from '@countersign/review/beyond-facts';
import { factsText, type ReviewFacts } from '@countersign/review/facts';
import { judgeTogether } from '@countersign/review/judge-together';
import type { ObservedTarget } from '@countersign/review/observation';
import { rulesDigest } from '@countersign/review/rules-digest';
import type { ScriptReading } from '@countersign/review/script/read';
import { canTighten, type Heard } from '@countersign/review/second-judge';
import { tooLarge } from '../worker/tasks.ts';

/** The facts that were judged, and the verdict. */
export type Reviewed = {
  readonly facts: ReviewFacts;
  readonly review: OperationReview;
  /** Findings that the facts do not show; the review lists them next to its rules. */
  readonly beyondFacts: readonly BeyondFacts[];
  /** The second judge's answer; null if none was asked. */
  readonly heard: Heard | null;
  /** The kind of a script, with the requests that it asks for; null if the operation is not a script. */
  readonly script: ScriptReading | null;
  /** The target as it was seen, to be compared after a person has approved. */
  readonly target: ObservedTarget | null;
};

/** A reason to object that no facts show. */
export type Objection = RuleFinding & { readonly rule: BeyondFacts; readonly verdict: 'deny' };

/** The same review with one more reason to object, which is none of the facts. */
export const objecting = (reviewed: Reviewed, finding: Objection): Reviewed => ({
  ...reviewed,
  review: { ...reviewed.review, verdict: 'deny', rules: [...reviewed.review.rules, finding] },
  beyondFacts: [...reviewed.beyondFacts, finding.rule],
});

/**
 * Returns the review to record: of the latest facts, with the second judge's answer from when the person was
 * asked.
 */
export function agreedNow(agreed: Reviewed, now: Reviewed): Reviewed {
  const { heard } = agreed;
  if (heard === null || !canTighten(now.review)) return now;
  return { ...now, heard, review: { ...now.review, ...judgeTogether(now.facts, heard) } };
}

/** Returns whether the page is still what a person agreed to; `isFilled`: and the form holds what it held. */
export const isSame = (before: Reviewed, now: Reviewed, isFilled: boolean): boolean =>
  factsText(withoutSeen(before.facts)) === factsText(withoutSeen(now.facts)) &&
  shown(before.target, isFilled) === shown(now.target, isFilled);

const shown = (target: ObservedTarget | null, isFilled: boolean): string =>
  JSON.stringify(isFilled ? target : target && { ...target, filled: undefined });

/** Leaves out what was seen beyond the facts and the target: a counter elsewhere on the page must not undo an approval. */
const withoutSeen = (facts: ReviewFacts): ReviewFacts => ({
  ...facts,
  commitments: { ...facts.commitments, observation: '' },
  operation: { ...facts.operation, words: undefined },
  session: { ...facts.session, sent: undefined },
  // That it was allowed meanwhile objects to nothing.
  place: facts.place && { ...facts.place, known: false },
});

/**
 * Returns a record's account of a review. Anyone can evaluate the verdict again from the facts, by the rules
 * with that digest.
 */
export const reviewDetail = ({ facts, review: { verdict, rules }, beyondFacts, heard }: Reviewed) => ({
  ...(rules.some(({ rule }) => rule === tooLarge.rule)
    ? { factsSha256: sha256(factsText(facts)) }
    : { facts }),
  rulesDigest,
  ...(beyondFacts.length > 0 && { beyondFacts }),
  verdict,
  rules: rules.map(({ rule, verdict: own }) => ({ rule, verdict: own })),
  ...(heard === null ? {} : { secondJudge: heard }),
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
