import { z } from 'zod';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { mandate } from './mandate.ts';

/** The exact sum of passing transactions of the account, and their number. */
const spending = z.object({ spent: decimalText, count: z.int() });

/** The owner's first look: what was spent, what waits, what may still be spent. Days and months are those of UTC. */
export const overviewRoutes = {
  getOverview: {
    method: 'GET',
    path: '/api/overview',
    auth: 'session',
    summary:
      'Get what the account spent today, this month and on each of the last 30 days, and what is waiting for it',
    data: z.object({
      today: spending,
      month: spending,
      /** Oldest first; today is the last. */
      daily: z.array(spending.extend({ day: z.iso.date() })),
      approvalsWaiting: z.int(),
      activeMandate: z
        .nullable(mandate)
        .describe('Of the owner’s own wallet; if it has none, the newest active one of an agent'),
    }),
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
