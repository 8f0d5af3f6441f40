import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import { agentNetwork } from './agent-wallet.ts';
import type { DashboardAuth } from './dialect.ts';

const holdId = z.string().min(1).max(128);

/** Names who needs the hold, among all that place the same one. */
const holder = z.string().min(1).max(128).optional();

/** Holds: a share of a mandate's budget, kept for one payment until it is reported or can settle no more. */
export const holdRoutes = {
  holdMandate: {
    method: 'POST',
    path: '/api/mandates/intent/hold',
    auth: 'api-key',
    scope: 'mandates:hold',
    summary:
      'Hold an amount of a mandate’s budget, within its policy; repeating a holdId returns the same hold. ' +
      'Each holder that places it counts as one that needs it. To a request that names its chain, a refusal that the ' +
      'owner may lift names all exceeded rules in data.exceeded',
    body: z.object({
      holdId,
      mandateId: z.string().min(1).max(64),
      amount: decimalText,
      ttlSeconds: z.int().min(10).max(3600),
      payee: addressText.optional(),
      serviceId: z.string().min(1).max(64).optional(),
      holder,
      chain: agentNetwork.optional().describe('Where it is paid. Absent: on the dashboard’s own chain'),
      approvalId: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe(
          'The owner’s approval of this very payment: the rules that it names do not refuse the hold',
        ),
    }),
    data: z.object({ holdId, remainingBudget: decimalText, expiresAt: z.iso.datetime() }),
    refusals: [
      'INTENT_PER_TX_EXCEEDED',
      'INTENT_BUDGET_EXCEEDED',
      'MANDATE_NOT_FOUND',
      'MANDATE_EXPIRED',
      'MANDATE_EXHAUSTED',
      'REPEATED_SUBMIT',
      'UNAUTHORIZED_OPERATION',
    ],
  },
  releaseHold: {
    method: 'POST',
    path: '/api/mandates/intent/release',
    auth: 'api-key',
    scope: 'mandates:hold',
    summary:
      'Release a hold before it expires. With a holder, only that one stops needing it, and the amount is free when ' +
      'the last one has; without, the hold ends for all',
    body: z.object({ holdId, holder }),
    data: z.object({ holdId, remainingBudget: decimalText }),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
