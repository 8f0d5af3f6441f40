import { z } from 'zod';
import { addressText } from '../address.ts';
import { decimalText } from '../amount.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { typedData } from './mandate-credential.ts';
import { listOf, page } from './page.ts';
import { signature } from './signature.ts';

export const approvalState = z.enum(['pending', 'approved', 'rejected', 'expired', 'used']);
export type ApprovalState = z.infer<typeof approvalState>;

const time = z.iso.datetime();
const approvalId = z.string().min(1).max(128);

const request = {
  approvalId,
  serviceId: z.string().min(1).max(64),
  toolName: z.string().min(1).max(256),
  argumentsHash: z.string().regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 lower-case hex digits'),
  payer: addressText,
  payTo: addressText,
  asset: addressText,
  amount: decimalText,
  currency: z.string().min(1).max(20),
  reason: z.string().min(1).max(64),
  reasons: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(8)
    .optional()
    .describe(
      'Every rule that the payment exceeds, `reason` among them; absent where the gateway told one alone',
    ),
  typedData,
  // Kept as it was written, because this text is signed.
  expiresAt: time.max(40),
};

/** One payment that awaits the owner's decision. `amount` is decimal text; `typedData` has base units. */
export const approval = z.object({
  ...request,
  state: approvalState,
  signature: z.nullable(z.string()),
  rejectReason: z.nullable(z.string()),
  createdAt: time,
  decidedAt: z.nullable(time),
});
export type Approval = z.infer<typeof approval>;

/** 16 KiB of UTF-8. A longer text is not sent: the hash speaks for it. */
export const maxArguments = 16_384;

/** RFC 8785 text of the call's arguments. */
const argumentsText = z
  .string()
  .refine(
    (text) => new TextEncoder().encode(text).length <= maxArguments,
    `must be at most ${maxArguments} bytes`,
  );

/**
 * What the owner is shown of the call's arguments. `hash-only`: the gateway sent nothing else; `not-kept`: there is no
 * key to seal them with, or another one; `over`: the day after the decision has passed.
 */
const callArguments = z.union([
  z.object({ state: z.literal('kept'), arguments: z.string() }),
  z.object({ state: z.enum(['hash-only', 'not-kept', 'over']), arguments: z.null() }),
]);
export type CallArguments = z.infer<typeof callArguments>;

const one = z.object({ approval });

/** The owner's inbox: gateways ask with a key, owners decide with a session. */
export const approvalRoutes = {
  createApproval: {
    method: 'POST',
    path: '/api/approvals',
    auth: 'api-key',
    scope: 'approvals:request',
    summary:
      'Ask the owner to approve one payment, with the arguments whose hash is signed; an identical request returns the same approval',
    body: z.object({ ...request, arguments: argumentsText.optional() }),
    data: one,
    refusals: ['UNAUTHORIZED_OPERATION', 'REPEATED_SUBMIT'],
  },
  getApproval: {
    method: 'POST',
    path: '/api/approvals/get',
    auth: 'api-key',
    scope: 'approvals:read',
    summary: 'Get an approval and, once given, its signature',
    body: z.object({ approvalId }),
    data: one,
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  useApproval: {
    method: 'POST',
    path: '/api/approvals/use',
    auth: 'api-key',
    scope: 'approvals:request',
    summary: 'Consume an approval; a second attempt is refused',
    body: z.object({ approvalId }),
    data: one,
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'MANDATE_EXPIRED'],
  },
  listApprovals: {
    method: 'POST',
    path: '/api/approvals/list',
    auth: 'session',
    summary: 'List the approvals requested from the account, newest first',
    body: z.object({ state: approvalState.optional(), ...page }),
    data: listOf(approval),
  },
  approvalArguments: {
    method: 'GET',
    path: '/api/approvals/:approvalId/arguments',
    auth: 'session',
    summary: 'Get the arguments of the call that an approval is for, until a day after the decision',
    data: callArguments,
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  approveApproval: {
    method: 'POST',
    path: '/api/approvals/:approvalId/approve',
    auth: 'session',
    summary: 'Approve one payment with the owner’s EIP-712 signature over its typedData',
    body: z.object({ signature }),
    data: one,
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'MANDATE_EXPIRED', 'UNAUTHORIZED_OPERATION'],
  },
  rejectApproval: {
    method: 'POST',
    path: '/api/approvals/:approvalId/reject',
    auth: 'session',
    summary: 'Reject one payment',
    body: z.object({ reason: z.string().min(1).max(500).optional() }),
    data: one,
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'MANDATE_EXPIRED'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
