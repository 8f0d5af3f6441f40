import type { Alert } from '@countersign/protocol/dashboard/alerts';
import { ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import type { DashboardHandlers } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import { type AlertRecord, listAlerts, markAlertsSeen } from './store.ts';

/** Handles alerts about the account's mandates. */
export function alertHandlers(
  pool: Pool,
  now: () => Date,
  tell: Tell,
): Pick<DashboardHandlers, 'listAlerts' | 'markAlertsSeen'> {
  return {
    async listAlerts({ body: { page = 1, limit = 20 }, caller }) {
      const { items, total } = await listAlerts(pool, caller.account.id, { page, limit });
      return ok({ data: items.map(showAlert), total, page, limit });
    },

    async markAlertsSeen({ body: { ids }, caller }) {
      const seen = await markAlertsSeen(pool, caller.account.id, ids, now());
      for (const id of seen) tell({ kind: 'alert', id, to: [caller.account.id] });
      return ok({ ids: [...seen] });
    },
  };
}

/** The alert as its owner sees it. */
export const showAlert = ({ createdAt, seenAt, ...alert }: AlertRecord): Alert => ({
  ...alert,
  createdAt: createdAt.toISOString(),
  seenAt: seenAt?.toISOString() ?? null,
});
