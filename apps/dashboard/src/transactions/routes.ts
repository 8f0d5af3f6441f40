import type { TransactionRecord, TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { ok } from '@countersign/protocol/result';
import { refusal } from '@countersign/service/http';
import type { Pool } from '@countersign/service/sql';
import { type DashboardHandlers, type KeyCaller, reporterOf } from '../callers.ts';
import { queryTransactions, type TransactionRow } from './query.ts';
import { createRecorder, whyNotRecorded } from './record.ts';

/** Report a transaction, and read one's own. */
export function transactionHandlers(
  pool: Pool,
  now: () => Date,
): Pick<DashboardHandlers, 'reportTransaction' | 'listTransactions'> {
  const record = createRecorder(pool, now);
  return {
    async reportTransaction({ body, caller }) {
      if (!isParty(caller, body)) {
        return refusal('UNAUTHORIZED_OPERATION', 'payer or payee must be the wallet of the API key');
      }
      const reported = { report: body, reporter: reporterOf(caller) };
      const id = await record(reported);
      if (id !== null) return ok({ id });

      const why = await whyNotRecorded(pool, reported);
      switch (why.kind) {
        case 'repeated':
          return refusal('REPEATED_SUBMIT', 'this transaction is recorded already', { id: why.id });
        case 'no-mandate':
          return refusal('MANDATE_NOT_FOUND', 'mandate not found');
        case 'not-payable':
          return refusal('UNAUTHORIZED_OPERATION', 'the mandate never was active, or is of another payer');
      }
    },

    async listTransactions({ query, caller }) {
      const { scope, page = 1, limit = 20, startDate, endDate, ...same } = query;
      const filter = { ...same, startDate: momentOf(startDate), endDate: momentOf(endDate) };
      const found = await queryTransactions(pool, caller.account.walletAddress, {
        scope,
        filter,
        page,
        limit,
      });
      return ok({ data: found.items.map(showTransaction), total: found.total, page, limit });
    },
  };
}

/** Nobody writes into a stranger's log. */
const isParty = (caller: KeyCaller, { payer, payee }: TransactionReport): boolean =>
  caller.kind === 'operator' ||
  caller.account.walletAddress === payer ||
  caller.account.walletAddress === payee;

const momentOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

const showTransaction = (row: TransactionRow): TransactionRecord => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
