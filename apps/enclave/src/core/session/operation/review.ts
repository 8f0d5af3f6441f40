import { judgeTogether } from '@countersign/review/judge-together';
import type { Observation } from '@countersign/review/observation';
import { canTighten, questionAbout, type SecondJudge } from '@countersign/review/second-judge';
import { hkdf, withSecret } from '../../keys/hkdf.ts';
import type { Session } from '../session.ts';
import { WorkerFailed } from '../worker/session-worker.ts';
import { type Attempt, roundMs } from './attempt.ts';
import type { Reviewed } from './reviewed.ts';

export type Reviewer = {
  /** Derives the salts of an operation's commitments. */
  readonly fingerprintKey: Buffer;
  readonly secondJudge: SecondJudge | null;
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
