import { iso31661Alpha2ToAlpha3 } from 'iso-3166';
import { z } from 'zod';
import type { Identity, KybSubject, KybVendor, Unavailable } from '../screening/ports.ts';
import { malformed, readAnswer, type VendorAnswer } from './ask-vendor.ts';
import { readSumsubWebhook } from './sumsub-webhook.ts';
import { applicant, askSumsub, nobody, statusOf, type SumsubAccess } from './sumsub-wire.ts';

export type SumsubCompanyConfig = SumsubAccess & {
  /** The verification level of companies whose approval counts. */
  readonly level: string;
  /** Null takes no webhooks. */
  readonly webhookSecret: string | null;
};

/** Sumsub knows the check of a business as an applicant of type `company`, whose `externalUserId` is the check's id. */
export function sumsubCompany(config: SumsubCompanyConfig, now: () => Date): KybVendor {
  const { level, webhookSecret: secret } = config;

  async function look(checkId: string, signal: AbortSignal): Promise<Identity | Unavailable> {
    const path = `/resources/applicants/-;externalUserId=${encodeURIComponent(checkId)}/one`;
    const answer = await askSumsub(
      config,
      { method: 'GET', path },
      { statuses: [200, 404], now: now(), signal },
    );
    if (answer.kind === 'unavailable') return answer;
    if (answer.status !== 404) return readCompany(answer, checkId, level);
    const read = readAnswer(nobody, answer);
    return read.ok ? { kind: 'known', status: 'pending', requestId: null } : read.error;
  }

  return {
    id: 'sumsub',
    look,
    readWebhook: secret === null ? null : (request) => readSumsubWebhook(secret, request),

    async start(subject, signal) {
      const path = `/resources/applicants?levelName=${encodeURIComponent(level)}`;
      const made = await askSumsub(
        config,
        { method: 'POST', path, body: companyOf(subject) },
        { statuses: [200, 201, 409], now: now(), signal },
      );
      if (made.kind === 'unavailable') return made;
      // It is there already: an earlier answer was lost.
      const known =
        made.status === 409 ? await look(subject.checkId, signal) : readCompany(made, subject.checkId, level);
      if (known.kind === 'unavailable' || known.requestId === null) return known;
      return requestCheck(config, known, { now: now(), signal });
    },
  };
}

const companyOf = ({ checkId, legalName, registrationNumber, country }: KybSubject) => ({
  externalUserId: checkId,
  type: 'company',
  fixedInfo: {
    companyInfo: { companyName: legalName, registrationNumber, country: iso31661Alpha2ToAlpha3[country] },
  },
});

function readCompany(answer: VendorAnswer, checkId: string, level: string): Identity | Unavailable {
  const read = readAnswer(
    applicant.extend({ type: z.literal('company'), id: z.string().regex(/^\w{1,64}$/) }),
    answer,
  );
  if (!read.ok) return read.error;
  if (read.value.externalUserId !== checkId) return malformed('it is about another business', null);
  return { kind: 'known', status: statusOf(read.value, level), requestId: read.value.id };
}

/** A level that wants documents refuses (409) until the company has handed them in; so does a check that runs already. */
async function requestCheck(
  config: SumsubAccess,
  known: Identity,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<Identity | Unavailable> {
  const sent = { method: 'POST', path: `/resources/applicants/${known.requestId}/status/pending` } as const;
  const answer = await askSumsub(config, sent, { statuses: [200, 409], now, signal });
  if (answer.kind === 'unavailable') return answer;
  const read = readAnswer(
    z.union([z.object({ ok: z.literal(1) }), z.object({ code: z.literal(409) })]),
    answer,
  );
  return read.ok ? known : read.error;
}
