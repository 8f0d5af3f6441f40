import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';

/** What the dashboard says of itself to whoever reaches it by an inner address. */
export const siteRoutes = {
  site: {
    method: 'GET',
    path: '/api/site',
    auth: 'none',
    summary: 'The origin under which people reach the dashboard',
    data: z.object({ publicUrl: z.url({ protocol: /^https?$/ }).max(300) }),
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
