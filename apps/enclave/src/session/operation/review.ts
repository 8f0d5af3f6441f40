import { createHmac } from 'node:crypto';
import type { OperationReview, RuleFinding } from '@countersign/protocol/vault/review';
import { hkdf, withSecret } from '../../keys/hkdf.ts';
import { factsOf, factsText, type ReviewFacts } from '../../review/facts.ts';
import type { Observation, ObservedTarget } from '../../review/observation.ts';
import { judge, type Judgement } from '../../review/review.ts';
import {
  canTighten,
  type Heard,
  judgeTogether,
  questionAbout,
  type SecondJudge,
} from '../../review/second-judge.ts';
import type { Session } from '../session.ts';
import { type Attempt, roundMs } from './attempt.ts';

export type Reviewer = {
  /** Under it commitments of an operation are salted. */
  readonly fingerprintKey: Buffer;
  readonly secondJudge: SecondJudge | null;
};

/** What was judged, and how. */
export type Reviewed = {
  readonly facts: ReviewFacts;
  readonly review: OperationReview;
  /** What the second judge said; null where none was asked. */
  readonly heard: Heard | null;
  /** As it was seen, for the comparison when a person has agreed. */
  readonly target: ObservedTarget | null;
};

/** Most bytes of facts that a record has room for. */
const mostFactsBytes = 48_000;

const tooLarge: RuleFinding = {
  rule: 'record.too-large',
  verdict: 'deny',
  message: 'The operation cannot be recorded, because too much is to be said of it. Split the script.',
};

/** Facts, rules, verdict: data in, data out, but for what a second judge says. */
export async function review(
  { about, masker, clock }: Session,
  reviewer: Reviewer,
  attempt: Attempt,
  observation: Observation,
): Promise<Reviewed> {
  const begin = clock.elapsed();
  const { operation, meant, operationId } = attempt;
  const { task, approval, allowedUrls, tenantId } = about;
  const facts = withSecret(
    hkdf(reviewer.fingerprintKey, `countersign-vault-v1/commitment/${tenantId}/${operationId}`),
    (salt) =>
      factsOf(
        { operation, task, approval, allowedUrls, credential: meant, observation },
        { commit: (text) => createHmac('sha256', salt).update(text).digest('hex'), mask: masker.text },
      ),
  );
  const alone = withRoom(facts, judge(facts));
  const heard =
    reviewer.secondJudge !== null && canTighten(alone)
      ? await reviewer.secondJudge(questionAbout(task, facts))
      : null;
  const { verdict, rules } = heard === null ? alone : judgeTogether(facts, heard);
  const duration_ms = roundMs(clock.elapsed() - begin);
  return { facts, review: { verdict, rules, duration_ms }, heard, target: observation.target };
}

const withRoom = (facts: ReviewFacts, judgement: Judgement): Judgement =>
  Buffer.byteLength(factsText(facts)) <= mostFactsBytes
    ? judgement
    : { verdict: 'deny', rules: [...judgement.rules, tooLarge] };

/** The same review with one more reason to object, which is none of the facts. */
export const objecting = (reviewed: Reviewed, finding: RuleFinding): Reviewed => ({
  ...reviewed,
  review: { ...reviewed.review, verdict: 'deny', rules: [...reviewed.review.rules, finding] },
});

/** Whether the page is still what a person agreed to. */
export const isSame = (before: Reviewed, now: Reviewed): boolean =>
  factsText(withoutSeen(before.facts)) === factsText(withoutSeen(now.facts)) &&
  JSON.stringify(before.target) === JSON.stringify(now.target);

/** Of what was seen the facts and the target say enough: a counter elsewhere on the page changes nothing. */
const withoutSeen = (facts: ReviewFacts): ReviewFacts => ({
  ...facts,
  commitments: { ...facts.commitments, observation: '' },
});

/** What a record says of a review: from the facts anyone makes the verdict again. */
export const reviewDetail = ({ facts, review: { verdict, rules }, heard }: Reviewed) => ({
  ...(rules.includes(tooLarge) ? {} : { facts }),
  verdict,
  rules: rules.map(({ rule, verdict: own }) => ({ rule, verdict: own })),
  ...(heard === null ? {} : { secondJudge: heard }),
});
