import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import {
  denyListEntry,
  kycAnswer,
  kycReview,
  kycStatus,
  kycSubmission,
  kytAnswer,
  kytChain,
  providerStates,
  screening,
} from './compliance.ts';
import { listOf, page } from './page.ts';

const reason = z.string().min(1).max(500);

/** KYC and KYT look-ups, the review queue and the deny list (document 2, endpoints 3 and 4). */
export const complianceRoutes = {
  kycCheck: {
    method: 'POST',
    path: '/api/kyc/check',
    auth: 'api-key',
    summary: 'KYC status of a wallet',
    body: z.object({ walletAddress: addressText }),
    data: kycAnswer,
  },
  kytCheck: {
    method: 'POST',
    path: '/api/compliance/kyt/check',
    auth: 'api-key',
    summary: 'KYT risk of a wallet',
    body: z.object({ walletAddress: addressText, chain: kytChain.default('ETH') }),
    data: kytAnswer,
  },
  kycStatus: {
    method: 'GET',
    path: '/api/kyc/status',
    auth: 'session',
    summary: 'One’s own KYC status, and what became of what one handed in',
    data: z.object({ kycStatus, submitted: z.boolean(), review: z.nullable(kycReview) }),
  },
  screen: {
    method: 'POST',
    path: '/api/compliance/screen',
    auth: 'session',
    summary: 'KYT risk of an address, and who says so since when',
    body: z.object({ walletAddress: addressText, chain: kytChain.default('ETH') }),
    data: screening,
  },
  complianceProviders: {
    method: 'GET',
    path: '/api/compliance/providers',
    auth: 'session',
    summary: 'Who answers for KYC and KYT, and how they fare',
    data: providerStates,
  },
  submitKyc: {
    method: 'POST',
    path: '/api/kyc/submit',
    auth: 'session',
    summary: 'Hand in one’s identity for review',
    body: kycSubmission,
    data: z.object({ kycStatus }),
    refusals: ['REPEATED_SUBMIT', 'BUSINESS_NOT_FOUND'],
  },
  beginKyc: {
    method: 'POST',
    path: '/api/kyc/begin',
    auth: 'session',
    summary: 'A page of the KYC vendor in use, where one proves who one is',
    data: z.object({ url: z.url(), expiresAt: z.nullable(z.iso.datetime()) }),
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  kycWebhook: {
    method: 'POST',
    path: '/api/kyc/webhooks/:provider',
    auth: 'signature',
    summary: 'A KYC vendor tells that something changed; it is read again there',
    data: z.null(),
    refusals: ['PARAM_ERROR', 'BUSINESS_NOT_FOUND'],
  },
  listKycReviews: {
    method: 'POST',
    path: '/api/kyc/reviews/list',
    auth: 'session',
    summary: 'Submissions for KYC, newest first (operators)',
    body: z.object({ kycStatus: kycStatus.optional(), ...page }),
    data: listOf(kycReview),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  decideKycReview: {
    method: 'POST',
    path: '/api/kyc/reviews/:id/decide',
    auth: 'session',
    summary: 'Approve or reject a submission of somebody else (operators)',
    body: z.object({ decision: z.enum(['approve', 'reject']), reason: reason.optional() }),
    data: z.object({ review: kycReview }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  addToDenyList: {
    method: 'POST',
    path: '/api/compliance/deny-list/add',
    auth: 'session',
    summary: 'From now on KYT rejects this address (operators)',
    body: z.object({ address: addressText, reason }),
    data: z.object({ address: addressText, reason: z.string() }),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  listDenyList: {
    method: 'POST',
    path: '/api/compliance/deny-list/list',
    auth: 'session',
    summary: 'The deny list, newest first (operators)',
    body: z.object(page),
    data: listOf(denyListEntry),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  removeFromDenyList: {
    method: 'POST',
    path: '/api/compliance/deny-list/remove',
    auth: 'session',
    summary: 'Take an address off the deny list (operators)',
    body: z.object({ address: addressText, reason }),
    data: z.object({ address: addressText }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
