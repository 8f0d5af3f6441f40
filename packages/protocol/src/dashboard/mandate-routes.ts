import { z } from 'zod';
import { legibleName } from '../legible-name.ts';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { mandate, mandateLookup, mandateStatus } from './mandate.ts';
import { typedData, unsignedMandateCredential } from './mandate-credential.ts';
import { listOf, page } from './page.ts';
import { mandatePolicy } from './policy.ts';
import { signature } from './signature.ts';

const toSign = z.object({
  mandateId: z.string(),
  unsignedCredential: unsignedMandateCredential,
  typedData,
  mandate,
});

const mandateId = z.string().min(1).max(64);
const title = legibleName(z.string().min(1).max(200));
const validDays = z.int().min(1).max(365);
const notLive = ['MANDATE_NOT_FOUND', 'MANDATE_EXPIRED', 'MANDATE_EXHAUSTED'] as const;

/** Intent mandates: drafted, signed, looked up, managed (spec: dashboard.mandate). */
export const mandateRoutes = {
  mandateCredential: {
    method: 'POST',
    path: '/api/mandates/intent/vc',
    auth: 'api-key',
    scope: 'mandates:read',
    summary:
      'Get a payer’s active mandate with its credential, for an active agent wallet also with its owner’s statement; if there is none, data.hadMandate says whether there ever was one',
    body: z.object({ payerWalletAddress: addressText }),
    data: mandateLookup,
    refusals: ['MANDATE_NOT_FOUND'],
  },
  createMandate: {
    method: 'POST',
    path: '/api/mandates/intent/create',
    auth: 'session',
    summary:
      'Draft a mandate, for the owner’s own wallet or an active agent’s; it is pending until the owner signs it. It begins with the policy’s `newPayees` of the wallet’s last mandate, and no other rule',
    body: z.object({
      title,
      perTxLimit: decimalText,
      totalBudget: decimalText,
      validDays,
      agentWallet: addressText.optional(),
    }),
    data: toSign,
    refusals: ['INTENT_PER_TX_EXCEEDED', 'BUSINESS_NOT_FOUND'],
  },
  prepareSign: {
    method: 'POST',
    path: '/api/mandates/intent/prepare-sign',
    auth: 'session',
    summary: 'Get the unsigned credential and typed data of a pending mandate',
    body: z.object({ mandateId }),
    data: toSign,
    refusals: [...notLive, 'REPEATED_SUBMIT'],
  },
  signMandate: {
    method: 'POST',
    path: '/api/mandates/intent/sign',
    auth: 'session',
    summary:
      'Activate a mandate with the owner’s EIP-712 signature; any other active mandate of the same payer is revoked',
    body: z.object({ mandateId, signature }),
    data: z.object({ mandate }),
    refusals: [...notLive, 'REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
  listMandates: {
    method: 'POST',
    path: '/api/mandates/intent/list',
    auth: 'session',
    summary: 'List the account’s mandates, newest first',
    body: z.object({ status: mandateStatus.optional(), ...page }),
    data: listOf(mandate),
  },
  revokeMandate: {
    method: 'POST',
    path: '/api/mandates/intent/revoke',
    auth: 'session',
    summary: 'Revoke a mandate; if none is named, the active one of the owner’s own wallet',
    body: z.object({ mandateId: mandateId.optional() }),
    data: z.object({ mandate }),
    refusals: notLive,
  },
  updateMandate: {
    method: 'POST',
    path: '/api/mandates/intent/update',
    auth: 'session',
    summary: 'Change the title, or the limits; changing the limits voids the signature and needs a new one',
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
    summary: 'Change the budget: up to the signed amount immediately, above it with a new signature',
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
    refusals: ['MANDATE_NOT_FOUND', 'REPEATED_SUBMIT', 'BUSINESS_NOT_FOUND'],
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
    summary:
      'Replace a mandate’s policy; this needs no signature because a policy can only refuse payments. Whoever logged in without the wallet may only tighten it',
    body: z.object({ mandateId, policy: mandatePolicy }),
    data: z.object({ mandate }),
    refusals: [...notLive, 'UNAUTHORIZED_OPERATION'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
