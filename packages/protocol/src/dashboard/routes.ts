import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import { approvalRoutes } from './approvals.ts';
import type { DashboardCode } from './codes.ts';
import { kycAnswer, kycReview, kycStatus, kycSubmission, kytAnswer, kytChain } from './compliance.ts';
import { holdRoutes } from './holds.ts';
import { mandate, mandateLookup, mandateStatus } from './mandate.ts';
import { typedData, unsignedMandateCredential } from './mandate-credential.ts';
import { listOf, page } from './page.ts';
import { serviceResult, transactionRecord, transactionReport } from './transaction.ts';

const time = z.iso.datetime();
const nothing = z.null();

const account = z.object({
  id: z.string(),
  walletAddress: addressText,
  platformId: z.string(),
  publicKey: z.nullable(z.string()),
  createdAt: time,
});

const apiKeyInfo = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: time,
  lastUsedAt: z.nullable(time),
  revokedAt: z.nullable(time),
});

const toSign = z.object({
  mandateId: z.string(),
  unsignedCredential: unsignedMandateCredential,
  typedData,
  mandate,
});

/** A moment, or a day in UTC, which means its first moment. A time of day without a zone is ambiguous and refused. */
const moment = z.union(
  [z.iso.datetime({ offset: true }), z.iso.date()],
  'must be an ISO 8601 date, or date and time with a zone',
);

const mandateId = z.string().min(1).max(64);
const reason = z.string().min(1).max(500);

/** Every endpoint of the dashboard API, by name (document 2, Endpoints). */
export const dashboardRoutes = {
  nonce: {
    method: 'POST',
    path: '/api/auth/nonce',
    auth: 'none',
    summary: 'A single-use nonce for a Sign-In with Ethereum message; lives 10 minutes',
    data: z.object({ nonce: z.string() }),
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    auth: 'none',
    summary: 'Log in with a signed EIP-4361 message; the first login makes the account',
    body: z.object({ message: z.string().max(4096), signature: z.string().max(4096) }),
    data: z.object({ token: z.string(), expiresAt: time, account }),
    refusals: ['AUTHENTICATION_FAILED'],
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    auth: 'session',
    summary: 'Revoke this session',
    data: nothing,
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    auth: 'session',
    summary: 'The account that is logged in',
    data: z.object({ account }),
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    auth: 'session',
    summary: 'Make an API key; its text is shown this once',
    body: z.object({ name: z.string().min(1).max(64) }),
    data: z.object({
      id: z.string(),
      apiKey: z.string(),
      name: z.string(),
      prefix: z.string(),
      createdAt: time,
    }),
  },
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    auth: 'session',
    summary: 'API keys of the account, newest first',
    data: z.object({ data: z.array(apiKeyInfo) }),
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:id',
    auth: 'session',
    summary: 'Revoke an API key',
    data: z.object({ id: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  publicKey: {
    method: 'POST',
    path: '/api/accounts/public-key',
    auth: 'api-key',
    summary: 'The registered public key of a wallet',
    body: z.object({ walletAddress: addressText }),
    data: z.object({ walletAddress: addressText, publicKey: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  mandateCredential: {
    method: 'POST',
    path: '/api/mandates/intent/vc',
    auth: 'api-key',
    summary: 'The active mandate of a payer, with its credential',
    body: z.object({ payerWalletAddress: addressText }),
    data: mandateLookup,
    refusals: ['MANDATE_NOT_FOUND'],
  },
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
  submitKyc: {
    method: 'POST',
    path: '/api/kyc/submit',
    auth: 'session',
    summary: 'Hand in one’s identity for review',
    body: kycSubmission,
    data: z.object({ kycStatus }),
    refusals: ['REPEATED_SUBMIT'],
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
  removeFromDenyList: {
    method: 'POST',
    path: '/api/compliance/deny-list/remove',
    auth: 'session',
    summary: 'Take an address off the deny list (operators)',
    body: z.object({ address: addressText, reason }),
    data: z.object({ address: addressText }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
  reportTransaction: {
    method: 'POST',
    path: '/api/transactions',
    auth: 'api-key',
    summary: 'Record a transaction; a passing one consumes its mandate exactly once',
    body: transactionReport,
    data: z.object({ id: z.int() }),
    created: true,
    refusals: ['REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION', 'MANDATE_NOT_FOUND'],
  },
  listTransactions: {
    method: 'GET',
    path: '/api/transactions',
    auth: 'session',
    summary: 'Transactions in which the account is payer or payee, newest first',
    query: z.object({
      scope: z.enum(['myPayer', 'myPayee', 'myAll']),
      ...page,
      chain: z.string().min(1).max(20).optional(),
      txHash: z.string().min(1).max(128).optional(),
      serviceName: z.string().min(1).max(64).optional(),
      serviceResult: serviceResult.optional(),
      startDate: moment.optional(),
      endDate: moment.optional(),
    }),
    data: listOf(transactionRecord),
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
  ...holdRoutes,
  ...approvalRoutes,
} as const satisfies RouteTable<DashboardCode>;
