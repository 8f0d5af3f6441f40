import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';

const holdId = z.string().min(1).max(128);

/** Holds: a share of a mandate's budget, kept for one payment until it is reported or can settle no more. */
export const holdRoutes = {
  holdMandate: {
    method: 'POST',
    path: '/api/mandates/intent/hold',
    auth: 'api-key',
    summary: 'Reserve an amount of a mandate, within its policy; the same holdId again is the same hold',
    body: z.object({
      holdId,
      mandateId: z.string().min(1).max(64),
      amount: decimalText,
      ttlSeconds: z.int().min(10).max(3600),
      payee: addressText.optional(),
      serviceId: z.string().min(1).max(64).optional(),
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
    summary: 'Give a hold back before it expires',
    body: z.object({ holdId }),
    data: z.object({ holdId, remainingBudget: decimalText }),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
