import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import { mandate, mandateLookup, mandateStatus } from './mandate.ts';
import { typedData, unsignedMandateCredential } from './mandate-credential.ts';
import { listOf, page } from './page.ts';

const toSign = z.object({
  mandateId: z.string(),
  unsignedCredential: unsignedMandateCredential,
  typedData,
  mandate,
});

const mandateId = z.string().min(1).max(64);

/** Intent mandates: drafted, signed, looked up, managed (document 2, endpoints 2, 7 and 8). */
export const mandateRoutes = {
  mandateCredential: {
    method: 'POST',
    path: '/api/mandates/intent/vc',
    auth: 'api-key',
    summary: 'The active mandate of a payer, with its credential',
    body: z.object({ payerWalletAddress: addressText }),
    data: mandateLookup,
    refusals: ['MANDATE_NOT_FOUND'],
  },
  createMandate: {
    method: 'POST',
    path: '/api/mandates/intent/create',
    auth: 'session',
    summary: 'Draft a mandate; it is pending until the owner signs it',
    body: z.object({
      title: z.string().min(1).max(200),
      perTxLimit: decimalText,
      totalBudget: decimalText,
      validDays: z.int().min(1).max(365),
    }),
    data: toSign,
    refusals: ['INTENT_PER_TX_EXCEEDED'],
  },
  prepareSign: {
    method: 'POST',
    path: '/api/mandates/intent/prepare-sign',
    auth: 'session',
    summary: 'The unsigned credential and typed data of a pending mandate',
    body: z.object({ mandateId }),
    data: toSign,
    refusals: ['MANDATE_NOT_FOUND', 'MANDATE_EXPIRED', 'MANDATE_EXHAUSTED', 'REPEATED_SUBMIT'],
  },
  signMandate: {
    method: 'POST',
    path: '/api/mandates/intent/sign',
    auth: 'session',
    summary: 'Activate a mandate with the owner’s EIP-712 signature; any other active one is revoked',
    body: z.object({ mandateId, signature: z.string().max(4096) }),
    data: z.object({ mandate }),
    refusals: [
      'MANDATE_NOT_FOUND',
      'MANDATE_EXPIRED',
      'MANDATE_EXHAUSTED',
      'REPEATED_SUBMIT',
      'UNAUTHORIZED_OPERATION',
    ],
  },
  listMandates: {
    method: 'POST',
    path: '/api/mandates/intent/list',
    auth: 'session',
    summary: 'Mandates of the account, newest first',
    body: z.object({ status: mandateStatus.optional(), ...page }),
    data: listOf(mandate),
  },
  revokeMandate: {
    method: 'POST',
    path: '/api/mandates/intent/revoke',
    auth: 'session',
    summary: 'Revoke a mandate; the active one if none is named',
    body: z.object({ mandateId: mandateId.optional() }),
    data: z.object({ mandate }),
    refusals: ['MANDATE_NOT_FOUND', 'MANDATE_EXPIRED', 'MANDATE_EXHAUSTED'],
  },
} as const satisfies RouteTable<DashboardCode>;
