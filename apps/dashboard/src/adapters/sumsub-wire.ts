import { createHmac } from 'node:crypto';
import type { KycStatus } from '@countersign/protocol/dashboard/compliance';
import { z } from 'zod';
import { askVendor, below, type VendorAnswer } from './ask-vendor.ts';
import type { Unavailable } from '../screening/ports.ts';

/** Where Sumsub is asked, and as whom. */
export type SumsubAccess = {
  readonly url: URL;
  readonly appToken: string;
  readonly secretKey: string;
};

/** A person or a company there; `externalUserId` is our name for them. */
export const applicant = z.object({
  id: z.string(),
  externalUserId: z.string(),
  type: z.enum(['individual', 'company']).optional(),
  review: z.object({
    levelName: z.string(),
    reviewStatus: z.enum([
      'init',
      'pending',
      'prechecked',
      'queued',
      'onHold',
      'awaitingUser',
      'awaitingService',
      'completed',
    ]),
    reviewResult: z
      .object({
        reviewAnswer: z.enum(['GREEN', 'RED']).optional(),
        reviewRejectType: z.enum(['FINAL', 'RETRY', 'EXTERNAL']).optional(),
      })
      .optional(),
  }),
  deleted: z.boolean().optional(),
});
/** It knows none of that name. */
export const nobody = z.object({ code: z.literal(404) });

type Sent = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: object };

/** One signed request; answers of other statuses than these mean nothing. */
export function askSumsub(
  access: SumsubAccess,
  { method, path, body }: Sent,
  {
    statuses,
    now,
    signal,
  }: { readonly statuses: readonly number[]; readonly now: Date; readonly signal: AbortSignal },
): Promise<VendorAnswer | Unavailable> {
  const url = below(access.url, path);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    ...signed(access, now, { method, url, ...(text !== undefined && { body: text }) }),
    ...(text !== undefined && { 'content-type': 'application/json' }),
  };
  return askVendor({ method, url, headers, statuses, ...(text !== undefined && { body: text }) }, signal);
}

function signed(
  { appToken, secretKey }: SumsubAccess,
  now: Date,
  { method, url, body = '' }: { method: string; url: URL; body?: string },
) {
  const seconds = Math.floor(now.getTime() / 1000);
  const text = `${seconds}${method}${url.pathname}${url.search}${body}`;
  return {
    'x-app-token': appToken,
    'x-app-access-ts': String(seconds),
    'x-app-access-sig': createHmac('sha256', secretKey).update(text).digest('hex'),
  };
}

/** Only a final answer counts; whoever may try again is still pending. */
export function statusOf({ review, deleted }: z.output<typeof applicant>, level: string): KycStatus {
  if (review.reviewStatus !== 'completed' || deleted === true || review.levelName !== level) return 'pending';
  const { reviewAnswer, reviewRejectType } = review.reviewResult ?? {};
  if (reviewAnswer === 'GREEN') return 'approved';
  return reviewAnswer === 'RED' && reviewRejectType === 'FINAL' ? 'rejected' : 'pending';
}
