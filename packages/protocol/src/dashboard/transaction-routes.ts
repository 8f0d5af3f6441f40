import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { listOf, page } from './page.ts';
import { serviceResult, transactionRecord, transactionReport, wholeTransaction } from './transaction.ts';

/** A moment, or a day in UTC, which means its first moment. A time of day without a zone is ambiguous and refused. */
const moment = z.union(
  [z.iso.datetime({ offset: true }), z.iso.date()],
  'must be an ISO 8601 date, or date and time with a zone',
);

/** The transaction log (document 2, endpoints 5 and 6). */
export const transactionRoutes = {
  reportTransaction: {
    method: 'POST',
    path: '/api/transactions',
    auth: 'api-key',
    summary: 'Record a transaction; a passing one consumes its mandate exactly once',
    body: transactionReport,
    data: z.object({ id: z.int() }),
    created: true,
    refusals: ['REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION', 'MANDATE_NOT_FOUND'],
  },
  listTransactions: {
    method: 'GET',
    path: '/api/transactions',
    auth: 'session',
    summary:
      'Transactions in which the account is payer or payee, newest first; what the other party merely claims only where it is asked for. Operators: scope=all has those of everybody, with every screening as it was reported; each look is put on record',
    query: z.object({
      /** `all`, for operators alone: every record, whoever reported it and whatever it counts for. */
      scope: z.enum(['myPayer', 'myPayee', 'myAll', 'all']),
      /** With `all` only: records in which this wallet is payer or payee. */
      walletAddress: addressText.optional(),
      ...page,
      chain: z.string().min(1).max(20).optional(),
      txHash: z.string().min(1).max(128).optional(),
      serviceName: z.string().min(1).max(64).optional(),
      serviceResult: serviceResult.optional(),
      /** `counted`, the default: own reports, operators', and payments seen on chain. `claimed`: the other party's word alone. */
      standing: z.enum(['counted', 'claimed']).optional(),
      startDate: moment.optional(),
      endDate: moment.optional(),
      /** `nextCursor` of an answer: goes on after its last record, however many were made since. */
      cursor: z.string().min(1).max(64).optional(),
      /** `csv` downloads every record that matches. */
      format: z.enum(['json', 'csv']).optional(),
    }),
    // No `nextCursor`: nothing follows.
    data: listOf(transactionRecord).extend({ nextCursor: z.string().optional() }),
    download: 'text/csv',
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  getTransaction: {
    method: 'GET',
    path: '/api/transactions/:id',
    auth: 'session',
    summary:
      'One transaction in which the account is payer or payee; with metadata and mandate to whoever reported it. Operators: scope=all has anybody’s, with metadata and mandate; the look is put on record',
    query: z.object({ scope: z.literal('all').optional() }),
    data: z.object({ transaction: wholeTransaction }),
    refusals: ['BUSINESS_NOT_FOUND', 'UNAUTHORIZED_OPERATION'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
