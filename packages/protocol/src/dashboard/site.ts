import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';

/** The dashboard's description of itself for callers that reach it by an internal address. */
export const siteRoutes = {
  site: {
    method: 'GET',
    path: '/api/site',
    auth: 'none',
    summary:
      'Get the dashboard’s public origin, the chain that mandates are for and the contract of USDC there',
    data: z.object({
      publicUrl: z.url({ protocol: /^https?$/ }).max(300),
      // Dashboards of earlier releases, which a newer gateway may ask, do not say these three.
      chain: z
        .string()
        .regex(/^eip155:\d+$/)
        .optional()
        .describe('CAIP-2 id of the chain in logins and mandates'),
      chainIsLocal: z
        .boolean()
        .optional()
        .describe(
          'True if the chain with this ID runs locally, so that no public explorer has its transactions',
        ),
      usdc: z
        .nullable(addressText)
        .optional()
        .describe('Contract of USDC on that chain, six decimals; null if none is known'),
    }),
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
