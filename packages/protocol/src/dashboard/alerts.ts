import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { listOf, page } from './page.ts';

/** Half, four fifths and all of a budget are used; a mandate ends within a day. */
export const alertKind = z.enum(['budget_50', 'budget_80', 'budget_100', 'expires_soon']);

const time = z.iso.datetime();
const id = z.int().min(1);

/** An alert about a mandate. Each kind is raised at most once for each mandate. */
export const alert = z.object({
  id,
  mandateId: z.string(),
  kind: alertKind,
  createdAt: time,
  seenAt: z.nullable(time),
});
export type Alert = z.infer<typeof alert>;

/** Alerts about the account's mandates. */
export const alertRoutes = {
  listAlerts: {
    method: 'POST',
    path: '/api/alerts/list',
    auth: 'session',
    summary: 'List the account’s alerts, newest first',
    body: z.object(page),
    data: listOf(alert),
  },
  markAlertsSeen: {
    method: 'POST',
    path: '/api/alerts/seen',
    auth: 'session',
    summary: 'Mark alerts as seen; returns those that belong to the account',
    body: z.object({ ids: z.array(id).max(100) }),
    data: z.object({ ids: z.array(id) }),
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
