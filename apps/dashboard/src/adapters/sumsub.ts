import { z } from 'zod';
import type { KycVendor } from '../screening/ports.ts';
import { malformed, pageUrl, readAnswer } from './ask-vendor.ts';
import { applicant, askSumsub, nobody, statusOf, type SumsubAccess } from './sumsub-wire.ts';
import { readSumsubWebhook } from './sumsub-webhook.ts';

export type SumsubConfig = SumsubAccess & {
  /** The verification level whose approval counts; an approval at a weaker one does not. */
  readonly level: string;
  /** Null takes no webhooks. */
  readonly webhookSecret: string | null;
};

/** Sumsub knows a person by the id of the account, which is the applicant's `externalUserId` there. */
export const sumsub = (config: SumsubConfig, now: () => Date): KycVendor => ({
  kind: 'vendor',
  id: 'sumsub',
  readWebhook: webhookReader(config.webhookSecret),

  async look({ accountId }, signal) {
    const path = `/resources/applicants/-;externalUserId=${encodeURIComponent(accountId)}/one`;
    const asked = { statuses: [200, 404], now: now(), signal };
    const answer = await askSumsub(config, { method: 'GET', path }, asked);
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
    const path = '/resources/sdkIntegrations/levels/-/websdkLink';
    const body = { levelName: config.level, userId: accountId, ttlInSecs: linkSeconds };
    const time = now();
    const asked = { statuses: [200, 201], now: time, signal };
    const answer = await askSumsub(config, { method: 'POST', path, body }, asked);
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
