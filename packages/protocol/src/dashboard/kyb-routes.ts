import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { business } from './business.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { businessCheck, newBusinessCheck } from './kyb.ts';
import { payee } from './payees.ts';

/** Checks of businesses by a provider (KYB). */
export const kybRoutes = {
  checkPayee: {
    method: 'POST',
    path: '/api/payees/:id/checks',
    auth: 'session',
    summary:
      'Have the provider of KYB_PROVIDER check the business of a record, for the version that was read; its answer is evidence (operators)',
    body: newBusinessCheck.extend({ version: z.int() }),
    data: z.object({ payee }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'INVALID_PARAM'],
  },
  checkBusiness: {
    method: 'POST',
    path: '/api/business/submissions/:id/checks',
    auth: 'session',
    summary: 'Have the provider of KYB_PROVIDER check a business whose submission is pending (operators)',
    body: newBusinessCheck,
    data: z.object({ business }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'INVALID_PARAM'],
  },
  readCheck: {
    method: 'POST',
    path: '/api/business/checks/:id/read',
    auth: 'session',
    summary: 'Refresh the state of a provider’s check, which is also polled periodically (operators)',
    body: z.object({}),
    data: z.object({ check: businessCheck }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  kybWebhook: {
    method: 'POST',
    path: '/api/business/webhooks/:provider',
    auth: 'signature',
    summary: 'Receive a KYB provider’s notification of a change; the check is then read from the provider',
    data: z.null(),
    refusals: ['PARAM_ERROR', 'BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
