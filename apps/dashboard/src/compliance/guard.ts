import { toAbortSignal } from '@countersign/service/cancellation';
import { deadlineIn } from '@countersign/service/deadline';
import type { Unavailable } from '../screening/ports.ts';

/** Asks somebody outside, and knows how they fare. */
export type Guarded<Q, A> = {
  readonly ask: (question: Q) => Promise<A | Unavailable>;
  /** False while the last exchange failed. */
  readonly isUp: () => boolean;
  /**
   * Whether it failed within the last half minute, or is left to rest still, and has not answered since: later nobody knows,
   * and the next question tells. Answers that make no sense are a failure once they were given about five subjects in a row.
   */
  readonly isFailing: () => boolean;
};

/** The gateway waits 5 s for both parties' answers together; these are asked at once. */
const timeoutMs = 3_000;
const failuresBeforeRest = 5;
const restMs = 30_000;
const maxRestMs = 5 * 60_000;

/**
 * Puts a deadline on a provider, and lets one that keeps failing rest: it is not asked for 30 s after five failures
 * in a row, or for as long as it wishes (5 minutes at most); then a single question tries it. An answer that is
 * there but makes no sense is no reason to rest, because whoever is screened might have a hand in it; for the same reason
 * however many about one subject count as one.
 */
export function guard<Q, A extends { readonly kind: string }>(
  ask: (question: Q, signal: AbortSignal) => Promise<A | Unavailable>,
  subjectOf: (question: Q) => string,
  now: () => Date,
): Guarded<Q, A> {
  let failures = 0;
  const senseless = new Set<string>();
  let restingUntil = 0;
  let lastFailed = false;
  let failedAt: number | null = null;

  function note(question: Q, answer: A | Unavailable): void {
    lastFailed = answer.kind === 'unavailable';
    const failure = failureOf(answer);
    if (!lastFailed || failure !== null) senseless.clear();
    else if (senseless.size < failuresBeforeRest) senseless.add(subjectOf(question));
    if (failure !== null || senseless.size >= failuresBeforeRest) failedAt = now().getTime();
    else if (!lastFailed) failedAt = null;
    if (failure === null) {
      failures = 0;
      restingUntil = 0;
      return;
    }
    failures += 1;
    const wished = Math.min(failure.retryAfterMs ?? 0, maxRestMs);
    const rest = Math.max(failures >= failuresBeforeRest ? restMs : 0, wished);
    restingUntil = now().getTime() + rest;
  }

  return {
    isUp: () => !lastFailed,
    isFailing: () => failedAt !== null && now().getTime() < Math.max(failedAt + restMs, restingUntil),
    async ask(question) {
      if (now().getTime() < restingUntil) return resting;
      // One question tries a provider that rested; whoever comes meanwhile does not wait for its fate.
      if (failures >= failuresBeforeRest) restingUntil = now().getTime() + timeoutMs;
      const deadline = deadlineIn(timeoutMs);
      const answer = await ask(question, toAbortSignal(deadline.signal)).finally(deadline.end);
      note(question, answer);
      return answer;
    },
  };
}

const failureOf = (answer: { readonly kind: string }): Unavailable | null => {
  if (answer.kind !== 'unavailable') return null;
  const failure = answer as Unavailable;
  return failure.why === 'malformed' ? null : failure;
};

const resting: Unavailable = { kind: 'unavailable', why: 'resting', detail: 'it kept failing', raw: null };
