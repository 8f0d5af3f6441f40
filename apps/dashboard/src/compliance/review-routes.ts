import type { KycReview } from '@countersign/protocol/dashboard/compliance';
import { ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import type { DashboardHandlers } from '../callers.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { decideSubmission } from './decide-kyc.ts';
import { type FourEyes, showWord, type Word, wordsOn } from './first-word.ts';
import { type HandedIn, handIn } from './hand-in.ts';
import { openIdentity, sealIdentity } from './identity.ts';
import type { Kyc } from './kyc.ts';
import { findReview, listReviews, type ReviewRecord } from './kyc-store.ts';
import { isOperator, operatorsOnly } from './operators.ts';
import type { Sealer } from './seal.ts';
import { type Validity, validUntil } from './standing.ts';
import { whyNotDecided } from './why-not.ts';

export type DecisionParts = {
  readonly pool: Pool;
  readonly kyc: Kyc;
  /** Null where there is no key: then nobody may hand in. */
  readonly sealer: Sealer | null;
  readonly fourEyes: FourEyes;
  readonly validity: Validity;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
};

/** The review queue, from both sides. */
export function reviewHandlers(
  parts: DecisionParts,
): Pick<DashboardHandlers, 'submitKyc' | 'listKycReviews' | 'decideKycReview'> {
  const { pool, kyc, sealer, fourEyes, validity, now, random, log } = parts;
  const { operators } = fourEyes;
  return {
    async submitKyc({ body, caller }) {
      // Nobody would look at it, and so nobody may be asked for a passport.
      if (kyc.provider !== 'review-queue')
        return refusal(
          'BUSINESS_NOT_FOUND',
          `identities are verified by ${kyc.provider}: begin at /api/kyc/begin`,
        );
      if (sealer === null)
        return refusal(
          'BUSINESS_NOT_FOUND',
          'this dashboard does not accept identities because its operator has not set EVIDENCE_KEY, which seals them',
        );
      const id = newId(random, 'kyc');
      const submission = { id, identity: sealIdentity(sealer, id, body) };
      const handed = await handIn(pool, caller.account, submission, { validity, now: now() });
      return handed.kind === 'kept'
        ? ok({ kycStatus: 'pending' })
        : refusal('REPEATED_SUBMIT', whyNot(handed));
    },

    async listKycReviews({ body, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { kycStatus, page = 1, limit = 20 } = body;
      const { items, total } = await listReviews(pool, kycStatus, { page, limit });
      const waiting = items.filter((review) => review.kycStatus === 'pending').map(({ id }) => id);
      const words = await wordsOn(pool, fourEyes, 'approve', waiting);
      const data = items.map((review) => forOperator(review, parts, words.get(review.id)));
      return ok({ data, total, page, limit });
    },

    async decideKycReview({ params, body: { decision, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const id = params['id'] ?? '';
      const about = { by: caller.account, fourEyes, now: now() };
      const decided = await decideSubmission(pool, id, { decision, reason }, about);
      const review = await findReview(pool, id);
      if ((decided.kind !== 'done' && decided.kind !== 'first') || review === null)
        return whyNotDecided(decided, 'review not found', 'this review has already been decided');
      const operator = caller.account.walletAddress;
      log.info({ review: id, decision, effective: decided.kind === 'done', operator }, 'KYC was decided');
      const word = decided.kind === 'first' ? decided.word : undefined;
      return ok({ review: forOperator(review, parts, word) });
    },
  };
}

const whyNot = (handed: Exclude<HandedIn, { kind: 'kept' }>): string =>
  handed.kind === 'needless'
    ? 'a submission is under review, or the approval is valid and does not expire soon'
    : `too many submissions: the next one is possible at ${handed.again.toISOString()}`;

type Showing = Pick<DecisionParts, 'validity' | 'sealer'>;

/** Returns it as the API shows it to the person concerned. */
export function showReview(
  { approvedAt, sealed, keyId, readable, ...review }: ReviewRecord,
  { validity, sealer }: Showing,
): KycReview {
  const { kycStatus, createdAt, decidedAt, withdrawnAt } = review;
  return {
    ...review,
    ...openIdentity(sealer, review.id, { sealed, keyId, readable }),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    validUntil: validUntil({ kycStatus, approvedAt }, validity)?.toISOString() ?? null,
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
  };
}

const forOperator = (review: ReviewRecord, showing: Showing, word: Word | undefined) => ({
  ...showReview(review, showing),
  firstWord: showWord(word),
});
