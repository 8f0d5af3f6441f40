import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import {
  denyListEntry,
  firstWord,
  kycAnswer,
  kycReview,
  kycStatus,
  kycSubmission,
  kytAnswer,
  kytChain,
  operatorReview,
  providerStates,
  reason,
  screening,
} from './compliance.ts';
import { listOf, page } from './page.ts';

const time = z.iso.datetime();

/** KYC and KYT look-ups, the review queue and the deny list (spec: dashboard.kyc, dashboard.kyt). */
export const complianceRoutes = {
  kycCheck: {
    method: 'POST',
    path: '/api/kyc/check',
    auth: 'api-key',
    scope: 'screening:read',
    summary: 'Get the KYC status of a wallet',
    body: z.object({ walletAddress: addressText }),
    data: kycAnswer,
  },
  kytCheck: {
    method: 'POST',
    path: '/api/compliance/kyt/check',
    auth: 'api-key',
    scope: 'screening:read',
    summary: 'Get the KYT risk of a wallet',
    body: z.object({ walletAddress: addressText, chain: kytChain.default('ETH') }),
    data: kytAnswer,
  },
  kycStatus: {
    method: 'GET',
    path: '/api/kyc/status',
    auth: 'session',
    summary: 'Get your own KYC status and the result of your submission',
    data: z.object({
      kycStatus,
      submitted: z.boolean(),
      /** The newest submission; while it waits as a renewal, `kycStatus` stays `approved`. */
      review: z.nullable(kycReview),
      /** Until when the approval counts or counted; null where there is none, or a vendor keeps it. */
      validUntil: z.nullable(time),
      /** From when on it may be renewed. */
      renewableFrom: z.nullable(time),
      /** An operator has withdrawn the approval, and nobody has approved it since. */
      withdrawal: z.nullable(z.object({ reason: z.string(), at: time })),
    }),
  },
  screen: {
    method: 'POST',
    path: '/api/compliance/screen',
    auth: 'session',
    summary: 'Screen an address: its KYT risk, the source and the date of its list',
    body: z.object({ walletAddress: addressText, chain: kytChain.default('ETH') }),
    data: screening,
  },
  complianceProviders: {
    method: 'GET',
    path: '/api/compliance/providers',
    auth: 'session',
    summary: 'List the KYC and KYT providers and their state',
    data: providerStates,
  },
  submitKyc: {
    method: 'POST',
    path: '/api/kyc/submit',
    auth: 'session',
    summary:
      'Submit identity for review; also after a rejection or withdrawal, and to renew an approval that expires soon',
    body: kycSubmission,
    data: z.object({ kycStatus }),
    refusals: ['REPEATED_SUBMIT', 'BUSINESS_NOT_FOUND'],
  },
  beginKyc: {
    method: 'POST',
    path: '/api/kyc/begin',
    auth: 'session',
    summary: 'Get a link to the KYC vendor’s verification page',
    data: z.object({ url: z.url(), expiresAt: z.nullable(time) }),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  kycWebhook: {
    method: 'POST',
    path: '/api/kyc/webhooks/:provider',
    auth: 'signature',
    summary: 'Receive a KYC vendor’s notification of a change; the status is then read from the vendor',
    data: z.null(),
    refusals: ['PARAM_ERROR', 'BUSINESS_NOT_FOUND'],
  },
  listKycReviews: {
    method: 'POST',
    path: '/api/kyc/reviews/list',
    auth: 'session',
    summary: 'List KYC submissions, newest first (operators)',
    body: z.object({ kycStatus: kycStatus.optional(), ...page }),
    data: listOf(operatorReview),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  decideKycReview: {
    method: 'POST',
    path: '/api/kyc/reviews/:id/decide',
    auth: 'session',
    summary:
      'Approve or reject another person’s submission; a rejection needs a reason, which that person can read (operators)',
    body: z
      .object({ decision: z.enum(['approve', 'reject']), reason: reason.optional() })
      .superRefine(({ decision, reason: given }, context) => {
        if (decision !== 'reject' || given !== undefined) return;
        context.addIssue({ code: 'invalid_type', expected: 'string', path: ['reason'], input: given });
      }),
    /** With KYC_FOUR_EYES the first approval leaves it pending, with `firstWord` set. */
    data: z.object({ review: operatorReview }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  addToDenyList: {
    method: 'POST',
    path: '/api/compliance/deny-list/add',
    auth: 'session',
    summary: 'Add an address to the deny list; KYT rejects it from then on (operators)',
    body: z.object({ address: addressText, reason }),
    data: z.object({ address: addressText, reason: z.string() }),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  listDenyList: {
    method: 'POST',
    path: '/api/compliance/deny-list/list',
    auth: 'session',
    summary: 'List denied addresses, newest first (operators)',
    body: z.object(page),
    data: listOf(denyListEntry),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  removeFromDenyList: {
    method: 'POST',
    path: '/api/compliance/deny-list/remove',
    auth: 'session',
    summary: 'Remove an address from the deny list (operators)',
    body: z.object({ address: addressText, reason }),
    /** With `firstWord` set it is still on the list: a second operator has to confirm. */
    data: z.object({ address: addressText, firstWord: z.nullable(firstWord) }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
