import { createHash, createHmac } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { SignedRequest } from '@countersign/service/http';
import { z } from 'zod';
import type { BadWebhook, WebhookEvent } from '../screening/ports.ts';
import { isDigest, parseJson } from './webhook-body.ts';

/** SHA-1, which Sumsub offers too, proves nothing any more. */
const algorithms: Readonly<Record<string, string>> = {
  HMAC_SHA256_HEX: 'sha256',
  HMAC_SHA512_HEX: 'sha512',
};

const event = z.object({ type: z.string(), externalUserId: z.string().nullish() });

/** A webhook of Sumsub, checked. It carries no id of its own and no time: the same body is the same event. */
export function readSumsubWebhook(
  secret: string,
  { bytes, headers }: SignedRequest,
): Result<WebhookEvent, BadWebhook> {
  const algorithm = algorithms[headers.get('x-payload-digest-alg') ?? ''];
  if (algorithm === undefined) return fail('unsigned');
  const expected = createHmac(algorithm, secret).update(bytes).digest();
  if (!isDigest(headers.get('x-payload-digest'), expected)) return fail('unsigned');
  const read = event.safeParse(parseJson(bytes));
  if (!read.success) return fail('malformed');
  const eventId = createHash('sha256').update(bytes).digest('hex');
  return ok({ eventId, about: read.data.externalUserId ?? null });
}
