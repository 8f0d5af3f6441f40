import type { PolicyRefusal } from '@countersign/protocol/dashboard/policy';
import { fail, ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import { refusal, type Refusal } from '../refusal.ts';
import { type DashboardHandlers, reporterOf } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import { expired, exhausted, noSuchMandate } from '../mandates/lifecycle.ts';
import { mandateNotice } from '../mandates/notice.ts';
import { type Placed, placeHold, releaseHold } from './store.ts';

/** Keep a share of a mandate's budget for one payment, and give it back. */
export function holdHandlers(
  pool: Pool,
  now: () => Date,
  tell: Tell,
): Pick<DashboardHandlers, 'holdMandate' | 'releaseHold'> {
  return {
    async holdMandate({ body, caller }) {
      const placed = await placeHold(pool, body, reporterOf(caller), now());
      if (placed.outcome !== 'held') return fail(refusals[placed.outcome]);
      const { remainingBudget, expiresAt, accountId } = placed;
      tell(mandateNotice(accountId, body.mandateId));
      return ok({ holdId: body.holdId, remainingBudget, expiresAt: expiresAt.toISOString() });
    },

    async releaseHold({ body: { holdId }, caller }) {
      const released = await releaseHold(pool, holdId, reporterOf(caller), now());
      if (released === null) return refusal('BUSINESS_NOT_FOUND', 'hold not found');
      // Releasing twice, or what has expired, changes nothing and is no error. What was paid cannot be given back.
      if (released.state === 'used') return refusal('REPEATED_SUBMIT', 'the hold is used already');
      tell(mandateNotice(released.accountId, released.mandateId));
      return ok({ holdId, remainingBudget: released.remainingBudget });
    },
  };
}

const byPolicy = (code: Refusal['code'], msg: PolicyRefusal): Refusal => ({ code, msg });

const refusals: Record<Exclude<Placed['outcome'], 'held'>, Refusal> = {
  'above-limit': { code: 'INTENT_PER_TX_EXCEEDED', msg: 'the amount is above the limit of one transaction' },
  'above-budget': { code: 'INTENT_BUDGET_EXCEEDED', msg: 'the amount is above what is left of the budget' },
  'other-content': { code: 'REPEATED_SUBMIT', msg: 'this holdId is of another amount or mandate' },
  used: { code: 'REPEATED_SUBMIT', msg: 'the hold is used already' },
  none: noSuchMandate,
  pending: noSuchMandate,
  revoked: noSuchMandate,
  expired,
  exhausted,
  paused: byPolicy('MANDATE_NOT_FOUND', 'MANDATE_PAUSED'),
  merchant: byPolicy('UNAUTHORIZED_OPERATION', 'MERCHANT_NOT_ALLOWED'),
  service: byPolicy('UNAUTHORIZED_OPERATION', 'SERVICE_NOT_ALLOWED'),
  'above-threshold': byPolicy('INTENT_PER_TX_EXCEEDED', 'APPROVAL_THRESHOLD_EXCEEDED'),
  'above-period': byPolicy('INTENT_BUDGET_EXCEEDED', 'PERIOD_BUDGET_EXCEEDED'),
};
