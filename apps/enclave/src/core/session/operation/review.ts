import { createHash } from 'node:crypto';
import type { OperationReview, RuleFinding } from '@countersign/protocol/vault/review';
import type { BeyondFacts } from '@countersign/review/beyond-facts';
import { factsText, type ReviewFacts } from '@countersign/review/facts';
import { judgeTogether } from '@countersign/review/judge-together';
import type { Observation, ObservedTarget } from '@countersign/review/observation';
import { rulesDigest } from '@countersign/review/rules-digest';
import type { ScriptReading } from '@countersign/review/script/read';
import { canTighten, type Heard, questionAbout, type SecondJudge } from '@countersign/review/second-judge';
import { hkdf, withSecret } from '../../keys/hkdf.ts';
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
  /** What was found against it that no facts show, and that stands in the review beside the rules. */
  readonly beyondFacts: readonly BeyondFacts[];
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
  return {
    facts,
    review: { verdict, rules, duration_ms },
    beyondFacts: [],
    heard,
    script,
    target: observation.target,
  };
}

/** A reason to object that no facts show. */
export type Objection = RuleFinding & { readonly rule: BeyondFacts; readonly verdict: 'deny' };

/** The same review with one more reason to object, which is none of the facts. */
export const objecting = (reviewed: Reviewed, finding: Objection): Reviewed => ({
  ...reviewed,
  review: { ...reviewed.review, verdict: 'deny', rules: [...reviewed.review.rules, finding] },
  beyondFacts: [...reviewed.beyondFacts, finding.rule],
});

/** What is done is recorded by what was seen last, with what the second judge said when a person was asked. */
export function agreedNow(agreed: Reviewed, now: Reviewed): Reviewed {
  const { heard } = agreed;
  if (heard === null || !canTighten(now.review)) return now;
  return { ...now, heard, review: { ...now.review, ...judgeTogether(now.facts, heard) } };
}

/** Whether the page is still what a person agreed to; `isFilled`: and the form holds what it held. */
export const isSame = (before: Reviewed, now: Reviewed, isFilled: boolean): boolean =>
  factsText(withoutSeen(before.facts)) === factsText(withoutSeen(now.facts)) &&
  shown(before.target, isFilled) === shown(now.target, isFilled);

const shown = (target: ObservedTarget | null, isFilled: boolean): string =>
  JSON.stringify(isFilled ? target : target && { ...target, filled: undefined });

/** Of what was seen the facts and the target say enough: a counter elsewhere on the page changes nothing. */
const withoutSeen = (facts: ReviewFacts): ReviewFacts => ({
  ...facts,
  commitments: { ...facts.commitments, observation: '' },
  operation: { ...facts.operation, words: undefined },
  session: { ...facts.session, sent: undefined },
  // That it was allowed meanwhile objects to nothing.
  place: facts.place && { ...facts.place, known: false },
});

/** What a record says of a review: from the facts anyone makes the verdict again, by the rules of that digest. */
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
