import { ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import type { DashboardHandlers } from '../callers.ts';
import { newId, type RandomBytes } from '../ids.ts';
import type { Kyc } from './kyc.ts';
import { decideReview, findReview, insertSubmission, listReviews, type ReviewRecord } from './kyc-store.ts';
import { isOperator, type Operators, operatorsOnly } from './operators.ts';

type ReviewParts = {
  readonly pool: Pool;
  readonly kyc: Kyc;
  readonly operators: Operators;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
};

/** The review queue, from both sides. */
export function reviewHandlers(
  parts: ReviewParts,
): Pick<DashboardHandlers, 'submitKyc' | 'listKycReviews' | 'decideKycReview'> {
  const { pool, kyc, operators, now, random, log } = parts;
  return {
    async submitKyc({ body, caller }) {
      // Nobody would look at it, and so nobody may be asked for a passport.
      if (kyc.provider !== 'review-queue')
        return refusal(
          'BUSINESS_NOT_FOUND',
          `identities are verified by ${kyc.provider}: begin at /api/kyc/begin`,
        );
      const submission = { ...body, id: newId(random, 'kyc'), accountId: caller.account.id };
      const kept = await insertSubmission(pool, submission, now());
      return kept
        ? ok({ kycStatus: 'pending' })
        : refusal('REPEATED_SUBMIT', 'a submission waits or is approved already');
    },

    async listKycReviews({ body, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { kycStatus, page = 1, limit = 20 } = body;
      const { items, total } = await listReviews(pool, kycStatus, { page, limit });
      return ok({ data: items.map(showReview), total, page, limit });
    },

    async decideKycReview({ params, body, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const id = params['id'] ?? '';
      const review = await findReview(pool, id);
      if (review === null) return refusal('BUSINESS_NOT_FOUND', 'review not found');
      if (review.accountId === caller.account.id) {
        return refusal('UNAUTHORIZED_OPERATION', 'nobody decides about oneself');
      }
      const status = body.decision === 'approve' ? 'approved' : 'rejected';
      const decided = await decideReview(
        pool,
        id,
        { status, reason: body.reason, by: caller.account.id },
        now(),
      );
      const after = await findReview(pool, id);
      if (!decided || after === null) return refusal('REPEATED_SUBMIT', 'this review is decided already');
      log.info({ review: id, status, operator: caller.account.walletAddress }, 'KYC was decided');
      return ok({ review: showReview(after) });
    },
  };
}

/** As the API tells it. */
export const showReview = (review: ReviewRecord) => ({
  ...review,
  createdAt: review.createdAt.toISOString(),
  decidedAt: review.decidedAt?.toISOString() ?? null,
});
