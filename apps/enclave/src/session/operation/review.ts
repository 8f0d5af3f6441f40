import type { OperationReview, RuleFinding } from '@countersign/protocol/vault/review';
import { hkdf, withSecret } from '../../keys/hkdf.ts';
import { factsText, type ReviewFacts } from '../../review/facts.ts';
import type { Observation, ObservedTarget } from '../../review/observation.ts';
import {
  canTighten,
  type Heard,
  judgeTogether,
  questionAbout,
  type SecondJudge,
} from '../../review/second-judge.ts';
import type { ScriptReading } from '../../review/script/read.ts';
import type { Session } from '../session.ts';
import { WorkerFailed } from '../worker/session-worker.ts';
import { tooLarge } from '../worker/tasks.ts';
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
  /** What kind of script it is, with the requests to be made for it; null where it is none. */
  readonly script: ScriptReading | null;
  /** As it was seen, for the comparison when a person has agreed. */
  readonly target: ObservedTarget | null;
};

/** Facts, rules, verdict: data in, data out, but for what a second judge says. Null where that took too much. */
export async function review(
  { about, worker, clock, spent }: Session,
  reviewer: Reviewer,
  attempt: Attempt,
  observation: Observation,
  hasManyWords = false,
): Promise<Reviewed | null> {
  const begin = clock.elapsed();
  const { operation, meant, operationId } = attempt;
  const { task, approval, allowedUrls, tenantId } = about;
  const salt = withSecret(
    hkdf(reviewer.fingerprintKey, `countersign-vault-v1/commitment/${tenantId}/${operationId}`),
    (bytes) => Uint8Array.from(bytes),
  );
  const reviewing = worker.ask('review', {
    review: {
      operation,
      task,
      approval,
      allowedUrls,
      credentials: about.credentials.length,
      credential: meant && { ...meant, uses: attempt.stored?.uses ?? [] },
      observation,
      hasManyWords,
      wasSent: meant === null ? spent.size > 0 : spent.has(meant.credentialId),
    },
    salt,
  });
  const done = await reviewing.catch((error: unknown) => {
    if (error instanceof WorkerFailed) return null;
    throw error;
  });
  if (done === null) return null;
  const { facts, script, judgement: alone } = done;
  const heard =
    reviewer.secondJudge !== null && canTighten(alone)
      ? await reviewer.secondJudge(questionAbout(task, facts))
      : null;
  const { verdict, rules } = heard === null ? alone : judgeTogether(facts, heard);
  const duration_ms = roundMs(clock.elapsed() - begin);
  return { facts, review: { verdict, rules, duration_ms }, heard, script, target: observation.target };
}

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
  operation: { ...facts.operation, words: undefined },
  session: { ...facts.session, sent: undefined },
  // That it was allowed meanwhile objects to nothing.
  place: facts.place && { ...facts.place, known: false },
});

/** What a record says of a review: from the facts anyone makes the verdict again. */
export const reviewDetail = ({ facts, review: { verdict, rules }, heard }: Reviewed) => ({
  ...(rules.some(({ rule }) => rule === tooLarge.rule) ? {} : { facts }),
  verdict,
  rules: rules.map(({ rule, verdict: own }) => ({ rule, verdict: own })),
  ...(heard === null ? {} : { secondJudge: heard }),
});
