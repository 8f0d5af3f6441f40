import { ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import { listApprovals } from '../approvals/store.ts';
import type { DashboardHandlers } from '../callers.ts';
import { showMandate } from '../mandates/credential.ts';
import { findAnyActiveMandate } from '../mandates/store.ts';
import { readSpending } from './spending.ts';

const daysShown = 30;
const nothing = { spent: '0', count: 0 };

/** Handles the overview. */
export function overviewHandlers(pool: Pool, now: () => Date): Pick<DashboardHandlers, 'getOverview'> {
  return {
    async getOverview({ caller }) {
      const { id, walletAddress } = caller.account;
      const time = now();
      const waiting = { owner: walletAddress, state: 'pending', page: 1, limit: 1 } as const;
      const [spending, approvals, active] = await Promise.all([
        readSpending(pool, walletAddress, { days: daysShown, now: time }),
        listApprovals(pool, waiting, time),
        findAnyActiveMandate(pool, id, time),
      ]);
      const daily = spending.map(({ day, spent, count }) => ({ day, spent, count }));
      const today = spending.at(-1);
      return ok({
        today: today === undefined ? nothing : { spent: today.spent, count: today.count },
        month: today === undefined ? nothing : { spent: today.monthSpent, count: today.monthCount },
        daily,
        approvalsWaiting: approvals.total,
        activeMandate: active === null ? null : showMandate(active),
      });
    },
  };
}
