import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { listOf, page } from './page.ts';
import {
  serviceResult,
  transactionRecord,
  transactionReport,
  transactionSum,
  wholeTransaction,
} from './transaction.ts';

/** A moment, or a day in UTC, which means its first moment. A time of day without a zone is ambiguous and refused. */
const moment = z.union(
  [z.iso.datetime({ offset: true }), z.iso.date()],
  'must be an ISO 8601 date, or a date and time with a time zone',
);

/** The transaction log (spec: dashboard.transactions). */
export const transactionRoutes = {
  reportTransaction: {
    method: 'POST',
    path: '/api/transactions',
    auth: 'api-key',
    scope: 'report',
    summary: 'Record a transaction; a passing one consumes its mandate exactly once',
    body: transactionReport,
    data: z.object({ id: z.int() }),
    created: true,
    refusals: ['REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION', 'MANDATE_NOT_FOUND'],
  },
  listTransactions: {
    method: 'GET',
    path: '/api/transactions',
    auth: 'session-or-key',
    scope: 'transactions:read',
    summary:
      'List transactions in which the account is payer or payee, newest first; what only the other party claims is included only on request. Operators: scope=all returns those of every account, with every screening as reported; each view is recorded',
    query: z.object({
      /** `all`, for operators alone: every record, whoever reported it and whatever it counts for. */
      scope: z.enum(['myPayer', 'myPayee', 'myAll', 'all']),
      /** Only with `all`: records in which this wallet is payer or payee. */
      walletAddress: addressText.optional(),
      ...page,
      chain: z.string().min(1).max(20).optional(),
      txHash: z.string().min(1).max(128).optional(),
      serviceName: z.string().min(1).max(64).optional(),
      serviceResult: serviceResult.optional(),
      /** These three narrow to records of which the caller is shown them. */
      toolName: z.string().min(1).max(128).optional(),
      agent: z.string().min(1).max(128).optional(),
      reason: z.string().min(1).max(64).optional(),
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
  sumTransactions: {
    method: 'GET',
    path: '/api/transactions/sums',
    auth: 'session-or-key',
    scope: 'transactions:read',
    summary:
      'Get the totals of what the account and its agents paid (myPayer) or were paid (myPayee) in a range of at most 366 days: passing transactions that count, for each token, by month (UTC), wallet or counterparty, or several of these',
    query: z.object({
      scope: z.enum(['myPayer', 'myPayee']),
      by: z
        .string()
        .regex(
          /^(?:month|wallet|counterparty)(?:,(?:month|wallet|counterparty)){0,2}$/,
          'must be month, wallet or counterparty, or several of them with commas between',
        ),
      startDate: moment,
      /** Not included. */
      endDate: moment,
      chain: z.string().min(1).max(20).optional(),
      /** `csv` downloads them. */
      format: z.enum(['json', 'csv']).optional(),
    }),
    data: z.object({ data: z.array(transactionSum) }),
    download: 'text/csv',
    refusals: ['INVALID_PARAM'],
  },
  getTransaction: {
    method: 'GET',
    path: '/api/transactions/:id',
    auth: 'session',
    summary:
      'Get a transaction in which the account is payer or payee; whoever reported it also gets metadata and mandate. Operators: scope=all returns any account’s, with metadata and mandate; the view is recorded',
    query: z.object({ scope: z.literal('all').optional() }),
    data: z.object({ transaction: wholeTransaction }),
    refusals: ['BUSINESS_NOT_FOUND', 'UNAUTHORIZED_OPERATION'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
