import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { alert } from './alerts.ts';
import { approval } from './approvals.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { mandate } from './mandate.ts';
import { recovery } from './recovery.ts';
import { transactionRecord } from './transaction.ts';

/** One event of a stream: `event` is its kind, `data` the record at the time of sending. */
export const dashboardEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('approval'), data: approval }),
  z.object({ event: z.literal('transaction'), data: transactionRecord }),
  z.object({ event: z.literal('mandate'), data: mandate }),
  z.object({ event: z.literal('alert'), data: alert }),
  z.object({ event: z.literal('recovery'), data: recovery }),
]);
export type DashboardEvent = z.input<typeof dashboardEvent>;
export type EventKind = DashboardEvent['event'];

/** A live stream of an account's events. */
export const eventRoutes = {
  events: {
    method: 'GET',
    path: '/api/events',
    auth: 'session',
    summary:
      'Stream the account’s approvals, transactions, mandates, alerts and recovery as they are created or change',
    data: dashboardEvent,
    stream: true,
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
