import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { mandate, mandateLookup, mandateStatus } from './mandate.ts';
import { typedData, unsignedMandateCredential } from './mandate-credential.ts';
import { listOf, page } from './page.ts';
import { mandatePolicy } from './policy.ts';

const toSign = z.object({
  mandateId: z.string(),
  unsignedCredential: unsignedMandateCredential,
  typedData,
  mandate,
});

const mandateId = z.string().min(1).max(64);
const title = z
  .string()
  .min(1)
  .max(200)
  .regex(/[^\s\p{C}]/u, 'must not be blank');
const validDays = z.int().min(1).max(365);
const notLive = ['MANDATE_NOT_FOUND', 'MANDATE_EXPIRED', 'MANDATE_EXHAUSTED'] as const;

/** Intent mandates: drafted, signed, looked up, managed (document 2, endpoints 2, 7 and 8). */
export const mandateRoutes = {
  mandateCredential: {
    method: 'POST',
    path: '/api/mandates/intent/vc',
    auth: 'api-key',
    summary:
      'The active mandate of a payer, with its credential; without one, data.hadMandate tells whether there ever was one',
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
      title,
      perTxLimit: decimalText,
      totalBudget: decimalText,
      validDays,
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
    refusals: [...notLive, 'REPEATED_SUBMIT'],
  },
  signMandate: {
    method: 'POST',
    path: '/api/mandates/intent/sign',
    auth: 'session',
    summary: 'Activate a mandate with the owner’s EIP-712 signature; any other active one is revoked',
    body: z.object({ mandateId, signature: z.string().max(4096) }),
    data: z.object({ mandate }),
    refusals: [...notLive, 'REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION'],
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
    refusals: notLive,
  },
  updateMandate: {
    method: 'POST',
    path: '/api/mandates/intent/update',
    auth: 'session',
    summary: 'Change the title in place, or the limits, which voids the signature and needs a new one',
    body: z.object({
      mandateId,
      title: title.optional(),
      perTxLimit: decimalText.optional(),
      totalBudget: decimalText.optional(),
    }),
    data: toSign,
    refusals: [...notLive, 'INTENT_PER_TX_EXCEEDED', 'INTENT_BUDGET_EXCEEDED'],
  },
  adjustMandate: {
    method: 'POST',
    path: '/api/mandates/intent/adjust',
    auth: 'session',
    summary: 'Move the budget: up to what was signed at once, above it by a new signature',
    body: z.object({ mandateId, totalBudget: decimalText }),
    data: z.union([toSign, z.object({ mandate })]),
    refusals: [...notLive, 'INTENT_BUDGET_EXCEEDED'],
  },
  renewMandate: {
    method: 'POST',
    path: '/api/mandates/intent/renew',
    auth: 'session',
    summary: 'Draft a new mandate with the limits and policy of one that has ended',
    body: z.object({ mandateId, validDays }),
    data: toSign,
    refusals: ['MANDATE_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  deleteMandate: {
    method: 'POST',
    path: '/api/mandates/intent/delete',
    auth: 'session',
    summary: 'Delete a mandate that is not active; its transactions stay',
    body: z.object({ mandateId }),
    data: z.object({ mandateId }),
    refusals: ['MANDATE_NOT_FOUND', 'UNAUTHORIZED_OPERATION'],
  },
  setMandatePolicy: {
    method: 'POST',
    path: '/api/mandates/intent/policy',
    auth: 'session',
    summary: 'Replace the policy beside a mandate: it needs no signature, because it only refuses',
    body: z.object({ mandateId, policy: mandatePolicy }),
    data: z.object({ mandate }),
    refusals: notLive,
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
