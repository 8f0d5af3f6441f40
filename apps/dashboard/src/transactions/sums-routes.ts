import { ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import type { DashboardHandlers } from '../callers.ts';
import { asFile } from './csv.ts';
import { sumTransactions } from './sums.ts';
import { csvOfSums } from './sums-csv.ts';

/** The totals of one's own log. */
export const sumHandlers = (pool: Pool, now: () => Date): Pick<DashboardHandlers, 'sumTransactions'> => ({
  async sumTransactions({ query, caller }) {
    const summed = await sumTransactions(pool, caller.account.walletAddress, query);
    if (!summed.ok) return summed;
    if (query.format !== 'csv') return ok({ data: [...summed.value] });
    return { ok: true, stream: csvOfSums(summed.value), headers: asFile('transaction-sums', now()) };
  },
});
