import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import { firstWord, kycStatus, reason } from './compliance.ts';
import type { DashboardAuth } from './dialect.ts';
import { listOf, page } from './page.ts';

const time = z.iso.datetime();

/** Actions of operators. `retract` withdraws a first decision; `read` views everybody's transactions. */
const deed = z.enum([
  'approve',
  'reject',
  'withdraw',
  'restore',
  'deny',
  'undeny',
  'retract',
  'read',
  'admit-payee',
  'change-payee',
  'withdraw-payee',
  'turn-payee-away',
  'add-payee-file',
  'read-payee-file',
  'erase-payee-file',
  'reject-business',
  'read-business-file',
  'check-business',
]);
export type ComplianceDeed = z.infer<typeof deed>;

/** Decisions that two operators make where KYC_FOUR_EYES is set: those that let somebody pay, and what cannot be undone. */
export const looseningDeed = z.enum(['approve', 'restore', 'undeny', 'admit-payee', 'erase-payee-file']);
export type LooseningDeed = z.infer<typeof looseningDeed>;

const historyEntry = z.object({
  id: z.int(),
  at: time,
  /** Wallet of the operator. */
  by: addressText,
  deed,
  /** False for the first of two words: nothing has changed yet. */
  effective: z.boolean(),
  /** Whom or what it is about; null for a look at everybody. */
  walletAddress: z.nullable(addressText),
  /** The submission that it is about, if any. */
  reviewId: z.nullable(z.string()),
  /** The business record that it is about, if any. */
  payeeId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The filters of a `read`; the retracted decision of a `retract`. */
  detail: z.nullable(z.record(z.string(), z.unknown())),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

const withdrawal = z.object({
  accountId: z.string(),
  walletAddress: addressText,
  reason: z.string(),
  /** Wallet of the operator. */
  withdrawnBy: addressText,
  withdrawnAt: time,
  /** Who wants it taken back, where a second operator has to. */
  firstWord: z.nullable(firstWord),
});
export type Withdrawal = z.infer<typeof withdrawal>;

/** Corrections of compliance decisions, and their history. */
export const correctionRoutes = {
  withdrawKyc: {
    method: 'POST',
    path: '/api/kyc/withdraw',
    auth: 'session',
    summary:
      'Withdraw another person’s KYC approval, whoever gave it: payments stop immediately, and that person can read the reason (operators)',
    body: z.object({ walletAddress: addressText, reason }),
    data: z.object({ walletAddress: addressText, kycStatus }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  restoreKyc: {
    method: 'POST',
    path: '/api/kyc/restore',
    auth: 'session',
    summary:
      'Restore a withdrawn approval: the earlier status applies again, until its original expiry (operators)',
    body: z.object({ walletAddress: addressText, reason }),
    /** With `firstWord` set it is still withdrawn: a second operator has to confirm. */
    data: z.object({ walletAddress: addressText, firstWord: z.nullable(firstWord) }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  listWithdrawals: {
    method: 'POST',
    path: '/api/kyc/withdrawals/list',
    auth: 'session',
    summary: 'List withdrawn KYC approvals, newest first (operators)',
    body: z.object(page),
    data: listOf(withdrawal),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  retractFirstWord: {
    method: 'POST',
    path: '/api/compliance/first-words/retract',
    auth: 'session',
    summary:
      'Retract the first of two operators’ decisions, your own or another’s, before the second is made (operators)',
    /** `subject`: id of the review, business record or file, address of the wallet, or denied address. */
    body: z.object({ deed: looseningDeed, subject: z.string().min(1).max(64), reason: reason.optional() }),
    data: z.object({ deed: looseningDeed, subject: z.string() }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
  listComplianceHistory: {
    method: 'POST',
    path: '/api/compliance/history/list',
    auth: 'session',
    summary:
      'List every decision about identities, payees and the deny list, and every view of all accounts’ transactions, newest first (operators)',
    body: z.object({
      walletAddress: addressText.optional(),
      /** Absent: all of them. */
      about: z.enum(['identities', 'payees', 'deny-list', 'reads']).optional(),
      payeeId: z.string().min(1).max(64).optional(),
      ...page,
    }),
    data: listOf(historyEntry),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
