import { createHmac } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { SignedRequest } from '@countersign/service/http';
import { z } from 'zod';
import type { BadWebhook, WebhookEvent } from '../screening/ports.ts';
import { isDigest, parseJson } from './webhook-body.ts';

/** An older signature may be a replay; a younger one is from a clock that cannot be ours. */
const freshMs = 5 * 60_000;

const subject = z.object({
  type: z.string(),
  attributes: z.object({
    // A webhook is sent in the inflection that its owner chose.
    'reference-id': z.string().nullish(),
    reference_id: z.string().nullish(),
    referenceId: z.string().nullish(),
  }),
});
const event = z.object({
  data: z.object({
    id: z.string().regex(/^\w{1,128}$/),
    attributes: z.object({ payload: z.object({ data: subject }) }),
  }),
});

/** A webhook of Persona, checked; it names whom it is about where it is of the wanted type. While its secret is changed it is signed twice; one right signature is enough. */
export function readPersonaWebhook(
  secret: string,
  { bytes, headers }: SignedRequest,
  { now, type: wanted }: { readonly now: Date; readonly type: 'inquiry' | 'transaction' },
): Result<WebhookEvent, BadWebhook> {
  const signatures = (headers.get('persona-signature') ?? '').split(' ').slice(0, 4);
  if (!signatures.some((signature) => isRight(signature, secret, bytes, now))) return fail('unsigned');
  const read = event.safeParse(parseJson(bytes));
  if (!read.success) return fail('malformed');
  const { id, attributes } = read.data.data;
  const { type, attributes: about } = attributes.payload.data;
  const reference = about['reference-id'] ?? about.reference_id ?? about.referenceId ?? null;
  return ok({ eventId: id, about: type === wanted ? reference : null });
}

/** `t=<unix seconds>,v1=<hex of HMAC-SHA256 over "t.body">` */
function isRight(signature: string, secret: string, bytes: Uint8Array, now: Date): boolean {
  const [, seconds, digest] = /^t=(\d{1,12}),v1=([0-9a-f]+)$/.exec(signature) ?? [];
  if (seconds === undefined || digest === undefined) return false;
  if (Math.abs(Number(seconds) * 1000 - now.getTime()) > freshMs) return false;
  return isDigest(digest, createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest());
}
