import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import { firstWord, reason } from './compliance.ts';
import type { DashboardAuth } from './dialect.ts';
import { seenRejections } from './kyb.ts';
import { listOf, page } from './page.ts';
import { newFile, payee, payeeFacts, payeeReview, payeeReviewState, payeeState, vouching } from './payees.ts';

const one = z.object({ payee });
const version = z.int().min(1);

/** Admission of businesses as payees by operators (spec: dashboard.payees). */
export const payeeRoutes = {
  createPayee: {
    method: 'POST',
    path: '/api/payees/create',
    auth: 'session',
    summary:
      'Admit a payee without its cooperation: its payout addresses are approved until `validUntil` (operators)',
    body: payeeFacts.extend({ reason: reason.optional() }),
    /** With KYC_FOUR_EYES it is `waiting` until a second operator admits it. */
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'REPEATED_SUBMIT'],
  },
  importPayees: {
    method: 'POST',
    path: '/api/payees/import',
    auth: 'session',
    summary:
      'Admit the payees of a CSV file, all or none: a refusal lists `row`, `field` and `problem` of each fault in `data.faults` (operators)',
    body: z.object({
      csv: z
        .string()
        .min(1)
        .max(200_000)
        .describe(
          'A header with legal_name, domain, addresses, valid_until, and links and registry_numbers where there are any. ' +
            'Several values of a field are separated by blanks, registry numbers by semicolons. An address is 0x…, or eip155:8453:0x… for one network, once for each network',
        ),
    }),
    data: z.object({ payees: z.array(payee) }),
    refusals: ['UNAUTHORIZED_OPERATION', 'REPEATED_SUBMIT'],
  },
  listPayees: {
    method: 'POST',
    path: '/api/payees/list',
    auth: 'session',
    summary: 'List business records, newest first (operators)',
    body: z.object({ state: payeeState.optional(), ...page }),
    data: listOf(payee),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  listPayeeReviews: {
    method: 'POST',
    path: '/api/payees/reviews/list',
    auth: 'session',
    summary: 'List unknown payees that payments were refused for, newest first (operators)',
    body: z.object({ state: payeeReviewState.optional(), ...page }),
    data: listOf(payeeReview),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  turnPayeeAway: {
    method: 'POST',
    path: '/api/payees/reviews/turn-away',
    auth: 'session',
    summary:
      'Turn an unknown payee away: no further review is opened for it. A record that names it still admits it (operators)',
    body: z.object({ payee: addressText, reason }),
    data: z.object({ review: payeeReview }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  payeeOfAddress: {
    method: 'GET',
    path: '/api/payees/of/:address',
    auth: 'session',
    summary: 'Get the record that vouches for an address, or why none does (operators)',
    data: z.object({ address: addressText, vouching, payee: z.nullable(payee) }),
    refusals: ['UNAUTHORIZED_OPERATION', 'INVALID_PARAM'],
  },
  payeeName: {
    method: 'GET',
    path: '/api/payees/name/:address',
    auth: 'session',
    summary: 'Get the business that a valid record names as the owner of an address, if any',
    data: z.object({
      address: addressText,
      business: z.nullable(payee.pick({ legalName: true, domain: true, validUntil: true })),
    }),
    refusals: ['INVALID_PARAM'],
  },
  getPayee: {
    method: 'GET',
    path: '/api/payees/:id',
    auth: 'session',
    summary: 'Get a business record (operators)',
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
  changePayee: {
    method: 'POST',
    path: '/api/payees/:id/change',
    auth: 'session',
    summary:
      'Change a business record: an address that it no longer names is not approved from then on (operators)',
    /** `version`: that which was read. */
    body: payeeFacts.extend({ version, reason: reason.optional(), seenRejections }),
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  admitPayee: {
    method: 'POST',
    path: '/api/payees/:id/admit',
    auth: 'session',
    summary: 'Confirm, as the second operator, the version of a record that was read (operators)',
    body: z.object({ version, reason: reason.optional(), seenRejections }),
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  withdrawPayee: {
    method: 'POST',
    path: '/api/payees/:id/withdraw',
    auth: 'session',
    summary: 'Withdraw a business record: payments to its addresses stop immediately (operators)',
    body: z.object({ reason }),
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  checkPayeeDomain: {
    method: 'POST',
    path: '/api/payees/:id/check-domain',
    auth: 'session',
    summary:
      'Check which addresses the domains of a record and of its proposed change name, which also happens daily (operators)',
    body: z.object({}),
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  addPayeeFile: {
    method: 'POST',
    path: '/api/payees/:id/files',
    auth: 'session',
    summary: 'Add a file to the evidence of a record; it is stored encrypted (operators)',
    body: newFile,
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  erasePayeeFile: {
    method: 'POST',
    path: '/api/payees/:id/files/:fileId/erase',
    auth: 'session',
    summary:
      'Permanently erase a file’s contents and name. With KYC_FOUR_EYES, `firstWord` names the operator who asked for it, until a second one does (operators)',
    body: z.object({ reason }),
    data: z.object({ payee, firstWord: z.nullable(firstWord) }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  getPayeeFile: {
    method: 'GET',
    path: '/api/payees/:id/files/:fileId',
    auth: 'session',
    summary: 'Get a file of a record; the view is recorded (operators)',
    data: z.object({ name: z.string(), mediaType: z.string(), content: z.base64() }),
    refusals: ['UNAUTHORIZED_OPERATION', 'BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
