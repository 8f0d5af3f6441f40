import { ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import type { DashboardHandlers } from '../callers.ts';
import { isOperator, type Operators, operatorsOnly } from './operators.ts';
import { addToDenyList, listDenied, removeFromDenyList } from './sanctions-store.ts';

type DenyListParts = {
  readonly pool: Pool;
  readonly operators: Operators;
  readonly now: () => Date;
  readonly log: Logger;
};

/** The operators' own deny list. */
export function denyListHandlers(
  parts: DenyListParts,
): Pick<DashboardHandlers, 'addToDenyList' | 'removeFromDenyList' | 'listDenyList'> {
  const { pool, operators, now, log } = parts;
  return {
    async addToDenyList({ body: { address, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      await addToDenyList(pool, { address, reason, by: caller.account.id }, now());
      log.info({ address, reason, operator: caller.account.walletAddress }, 'added to the deny list');
      return ok({ address, reason });
    },

    async removeFromDenyList({ body: { address, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const removed = await removeFromDenyList(pool, address);
      if (!removed) return refusal('BUSINESS_NOT_FOUND', 'the address is not on the deny list');
      log.info({ address, reason, operator: caller.account.walletAddress }, 'removed from the deny list');
      return ok({ address });
    },

    async listDenyList({ body: { page = 1, limit = 20 }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { items, total } = await listDenied(pool, { page, limit });
      const data = items.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() }));
      return ok({ data, total, page, limit });
    },
  };
}
