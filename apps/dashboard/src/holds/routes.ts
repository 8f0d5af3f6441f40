import { fail, ok } from '@countersign/protocol/result';
import { refusal } from '@countersign/service/http';
import type { Refusal } from '@countersign/service/http-input';
import type { Pool } from '@countersign/service/sql';
import { type DashboardHandlers, reporterOf } from '../callers.ts';
import { noSuchMandate, whyNotActive } from '../mandates/lifecycle.ts';
import { type Placed, placeHold, releaseHold } from './store.ts';

/** Keep a share of a mandate's budget for one payment, and give it back. */
export function holdHandlers(
  pool: Pool,
  now: () => Date,
): Pick<DashboardHandlers, 'holdMandate' | 'releaseHold'> {
  return {
    async holdMandate({ body, caller }) {
      const placed = await placeHold(pool, body, reporterOf(caller), now());
      if (placed.outcome !== 'held') return fail(whyNotHeld(placed.outcome));
      const { remainingBudget, expiresAt } = placed;
      return ok({ holdId: body.holdId, remainingBudget, expiresAt: expiresAt.toISOString() });
    },

    async releaseHold({ body: { holdId }, caller }) {
      const released = await releaseHold(pool, holdId, reporterOf(caller), now());
      if (released === null) return refusal('BUSINESS_NOT_FOUND', 'hold not found');
      // Releasing twice, or what has expired, changes nothing and is no error. What was paid cannot be given back.
      if (released.state === 'used') return refusal('REPEATED_SUBMIT', 'the hold is used already');
      return ok({ holdId, remainingBudget: released.remainingBudget });
    },
  };
}

function whyNotHeld(outcome: Exclude<Placed['outcome'], 'held'>): Refusal {
  switch (outcome) {
    case 'above-limit':
      return { code: 'INTENT_PER_TX_EXCEEDED', msg: 'the amount is above the limit of one transaction' };
    case 'above-budget':
      return { code: 'INTENT_BUDGET_EXCEEDED', msg: 'the amount is above what is left of the budget' };
    case 'other-content':
      return { code: 'REPEATED_SUBMIT', msg: 'this holdId is of another amount or mandate' };
    case 'used':
      return { code: 'REPEATED_SUBMIT', msg: 'the hold is used already' };
    case 'none':
      return noSuchMandate;
    case 'pending':
    case 'expired':
    case 'exhausted':
    case 'revoked':
      return whyNotActive(outcome) ?? noSuchMandate;
  }
}
