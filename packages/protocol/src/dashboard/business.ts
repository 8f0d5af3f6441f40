import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import { reason } from './compliance.ts';
import type { DashboardAuth } from './dialect.ts';
import { businessCheck, seenRejections } from './kyb.ts';
import { listOf, page } from './page.ts';
import { domainVerdict } from './payee-domain.ts';
import { fileTypes, newFile, payeeFacts, payeeState, payoutAddress } from './payees.ts';
import { signature } from './signature.ts';

const time = z.iso.datetime();

/** `claim`: its signature; null for the wallet that signed in. */
const claimedAddress = payoutAddress.extend({
  claim: z.nullable(z.strictObject({ issuedAt: time, signature })).default(null),
});

const said = payeeFacts.omit({ validUntil: true, addresses: true });

/** A business's statements about itself. */
export const newBusiness = said.extend({
  addresses: z
    .array(claimedAddress)
    .min(1)
    .max(10)
    .refine(
      (all) => new Set(all.map(({ address }) => address)).size === all.length,
      'must name each address once',
    ),
});

export const businessState = z.enum(['waiting', 'rejected', 'admitted']);
export type BusinessState = z.infer<typeof businessState>;

export const maxBusinessFiles = 5;

/** A submission, as its account and operators read it. */
export const business = z.object({
  id: z.string(),
  state: businessState,
  /** Wallet of the account that submitted it. */
  walletAddress: addressText,
  /** Null once it was erased, or where another EVIDENCE_KEY sealed it. */
  facts: z.nullable(payeeFacts.omit({ validUntil: true })),
  /** What its domain stated about each address at the last check. */
  domainSaid: z.array(z.object({ address: addressText, verdict: domainVerdict, until: z.nullable(time) })),
  domainCheckedAt: z.nullable(time),
  /** Checks by providers, newest first. */
  checks: z.array(businessCheck),
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      mediaType: z.enum(fileTypes),
      size: z.int(),
      addedAt: time,
    }),
  ),
  createdAt: time,
  decidedAt: z.nullable(time),
  reason: z.nullable(z.string()),
  /** The record that operators made of it, and how that stands; its reason where it was withdrawn. */
  payeeId: z.nullable(z.string()),
  recordState: z.nullable(payeeState),
  recordReason: z.nullable(z.string()),
  /** The record that its admission changes, while it waits; null: it makes one. */
  renews: z.nullable(z.string()),
});
export type Business = z.infer<typeof business>;

const one = z.object({ business });

/** Submission of a business, and the operators' decision. */
export const businessRoutes = {
  ownBusiness: {
    method: 'GET',
    path: '/api/business',
    auth: 'session',
    summary: 'Get the account’s last submission as a business, with its decision',
    data: z.object({ business: z.nullable(business) }),
  },
  submitBusiness: {
    method: 'POST',
    path: '/api/business/submit',
    auth: 'session',
    summary:
      'Submit the account as a business: each payout address is the wallet that signed in, or has signed a PayeeClaim in the last day. Also to change or renew its record',
    body: newBusiness,
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'REPEATED_SUBMIT', 'BUSINESS_NOT_FOUND'],
  },
  addBusinessFile: {
    method: 'POST',
    path: '/api/business/files',
    auth: 'session',
    summary: 'Add a file to the pending submission; it is stored encrypted',
    body: newFile,
    data: one,
    refusals: ['REPEATED_SUBMIT', 'BUSINESS_NOT_FOUND'],
  },
  listBusinesses: {
    method: 'POST',
    path: '/api/business/submissions/list',
    auth: 'session',
    summary:
      'List businesses that submitted themselves, newest first; pending ones, oldest first (operators)',
    body: z.object({ state: businessState.optional(), ...page }),
    data: listOf(business),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  getBusiness: {
    method: 'GET',
    path: '/api/business/submissions/:id',
    auth: 'session',
    summary: 'Get a business that submitted itself (operators)',
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
  checkBusinessDomain: {
    method: 'POST',
    path: '/api/business/submissions/:id/check-domain',
    auth: 'session',
    summary: 'Check which addresses the domain of a pending submission names (operators)',
    body: z.object({}),
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  decideBusiness: {
    method: 'POST',
    path: '/api/business/submissions/:id/decide',
    auth: 'session',
    summary:
      'Admit a business that submitted itself, until `validUntil`, by a record of its own or a change of the `version` of it that was read; or reject it with a reason (operators)',
    /**
     * `validUntil` with `admit`, and `reason` with `reject`. `version`: the newest of the record that it `renews`, as the
     * operator has read it; none for one that makes a record.
     */
    body: z.object({
      decision: z.enum(['admit', 'reject']),
      validUntil: time.optional(),
      version: z.int().optional(),
      reason: reason.optional(),
      seenRejections,
    }),
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'INVALID_PARAM'],
  },
  getBusinessFile: {
    method: 'GET',
    path: '/api/business/submissions/:id/files/:fileId',
    auth: 'session',
    summary: 'Get a file of a submission; the view is recorded (operators)',
    data: z.object({ name: z.string(), mediaType: z.string(), content: z.base64() }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
