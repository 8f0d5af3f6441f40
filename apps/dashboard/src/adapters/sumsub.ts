import { createHmac } from 'node:crypto';
import type { KycStatus } from '@countersign/protocol/dashboard/compliance';
import { z } from 'zod';
import type { KycVendor } from '../screening/ports.ts';
import { askVendor, below, malformed, pageUrl, readAnswer } from './ask-vendor.ts';
import { readSumsubWebhook } from './sumsub-webhook.ts';

export type SumsubConfig = {
  readonly url: URL;
  readonly appToken: string;
  readonly secretKey: string;
  /** The verification level whose approval counts; an approval at a weaker one does not. */
  readonly level: string;
  /** Null takes no webhooks. */
  readonly webhookSecret: string | null;
};

const applicant = z.object({
  id: z.string(),
  externalUserId: z.string(),
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
const nobody = z.object({ code: z.literal(404) });

/** Sumsub knows a person by the id of the account, which is the applicant's `externalUserId` there. */
export const sumsub = (config: SumsubConfig, now: () => Date): KycVendor => ({
  kind: 'vendor',
  id: 'sumsub',
  readWebhook: webhookReader(config.webhookSecret),

  async look({ accountId }, signal) {
    const path = `/resources/applicants/-;externalUserId=${encodeURIComponent(accountId)}/one`;
    const url = below(config.url, path);
    const answer = await askVendor(
      { method: 'GET', url, headers: signed(config, now(), { method: 'GET', url }), statuses: [200, 404] },
      signal,
    );
    if (answer.kind === 'unavailable') return answer;
    if (answer.status === 404) {
      const read = readAnswer(nobody, answer);
      return read.ok ? { kind: 'known', status: 'pending', requestId: null } : read.error;
    }
    const read = readAnswer(applicant, answer);
    if (!read.ok) return read.error;
    if (read.value.externalUserId !== accountId) return malformed('it is about another person', null);
    return { kind: 'known', status: statusOf(read.value, config.level), requestId: read.value.id };
  },

  async begin({ accountId }, signal) {
    const url = below(config.url, '/resources/sdkIntegrations/levels/-/websdkLink');
    const body = JSON.stringify({ levelName: config.level, userId: accountId, ttlInSecs: linkSeconds });
    const time = now();
    const request = { method: 'POST', url, body } as const;
    const headers = { ...signed(config, time, request), 'content-type': 'application/json' };
    const answer = await askVendor({ ...request, headers, statuses: [200, 201] }, signal);
    if (answer.kind === 'unavailable') return answer;
    const read = readAnswer(z.object({ url: pageUrl }), answer);
    if (!read.ok) return read.error;
    return { kind: 'begun', url: read.value.url, expiresAt: new Date(time.getTime() + linkSeconds * 1000) };
  },
});

/** So long a person has to begin. */
const linkSeconds = 30 * 60;

const webhookReader = (secret: string | null): KycVendor['readWebhook'] =>
  secret === null ? null : (request) => readSumsubWebhook(secret, request);

function signed(
  { appToken, secretKey }: SumsubConfig,
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

/** Only a final answer counts; a person who may try again is still pending. */
function statusOf({ review, deleted }: z.output<typeof applicant>, level: string): KycStatus {
  if (review.reviewStatus !== 'completed' || deleted === true || review.levelName !== level) return 'pending';
  const { reviewAnswer, reviewRejectType } = review.reviewResult ?? {};
  if (reviewAnswer === 'GREEN') return 'approved';
  return reviewAnswer === 'RED' && reviewRejectType === 'FINAL' ? 'rejected' : 'pending';
}
