import type { Address } from '@countersign/protocol/address';
import type { PayeeReview } from '@countersign/protocol/dashboard/payees';
import { ok } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers } from '../callers.ts';
import { putOnRecord } from '../compliance/history.ts';
import { isOperator, operatorsOnly } from '../compliance/operators.ts';
import { whyNotDecided } from '../compliance/why-not.ts';
import { findReview, listReviews, type ReviewRow, turnReviewsAway } from './review-store.ts';
import type { PayeeParts } from './answers.ts';
import { lockPayees } from './store.ts';

/** Payees that somebody wanted to pay and nobody knows. */
export function reviewHandlers({
  pool,
  fourEyes,
  now,
  log,
}: PayeeParts): Pick<DashboardHandlers, 'listPayeeReviews' | 'turnPayeeAway'> {
  return {
    async listPayeeReviews({ body: { state, page = 1, limit = 20 }, caller }) {
      if (!isOperator(fourEyes.operators, caller.account)) return operatorsOnly();
      const { items, total } = await listReviews(pool, state, { page, limit });
      return ok({ data: items.map(showReview), total, page, limit });
    },

    async turnPayeeAway({ body: { payee, reason }, caller: { account: by } }) {
      if (!isOperator(fourEyes.operators, by)) return operatorsOnly();
      const kind = await turnAway(pool, { payee, reason, by }, now());
      const review = await findReview(pool, payee);
      if (kind !== 'done' || review === null)
        return whyNotDecided(
          { kind: kind === 'done' ? 'not-found' : kind },
          'no review of this payee exists',
          'this review has already been decided',
        );
      log.info({ payee, operator: by.walletAddress }, 'a payee was turned away');
      return ok({ review: showReview(review) });
    },
  };
}

type Turning = { readonly payee: Address; readonly reason: string; readonly by: Account };

const turnAway = (
  pool: Pool,
  { payee, reason, by }: Turning,
  now: Date,
): Promise<'done' | 'not-found' | 'settled' | 'oneself'> =>
  inTransaction(pool, async (db) => {
    await lockPayees(db);
    const review = await findReview(db, payee);
    if (review === null) return 'not-found';
    if (payee === by.walletAddress) return 'oneself';
    if (review.state !== 'pending') return 'settled';
    await turnReviewsAway(db, [payee], { by: by.walletAddress, reason }, now);
    await putOnRecord(db, now, { deed: 'turn-payee-away', by, effective: true, wallet: payee, reason });
    return 'done';
  });

const showReview = ({ openedAt, lastAt, decidedAt, ...review }: ReviewRow): PayeeReview => ({
  ...review,
  openedAt: openedAt.toISOString(),
  lastAt: lastAt.toISOString(),
  decidedAt: decidedAt?.toISOString() ?? null,
});
