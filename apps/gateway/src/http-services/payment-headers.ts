import type { IncomingHttpHeaders } from 'node:http';
import {
  type Challenged,
  type PaymentCredential,
  paymentReceipt,
} from '@countersign/protocol/gateway/payment-challenge';
import { isObject } from '../downstream/dialect.ts';
import { isTooLong, sameJson } from '../downstream/read-result.ts';
import { headerOf, saysTheSame } from '../rules/charge.ts';
import { isDeeperThan } from '../rules/json-form.ts';
import { challengesIn } from './challenges.ts';

/** A price is nested some five levels deep. */
const maxDepth = 64;

/** The header that carries a payment: v2 has `PAYMENT-SIGNATURE`, v1 `X-PAYMENT`, a challenge says which. */
export function paymentHeaders(payload: object): Readonly<Record<string, string>> {
  const json = Buffer.from(JSON.stringify(payload));
  if (isCredential(payload))
    return { [headerOf(payload.challenge) ?? 'authorization']: `Payment ${json.toString('base64url')}` };
  const { x402Version } = payload as { x402Version?: unknown };
  const text = json.toString('base64');
  return x402Version === 1 ? { 'x-payment': text } : { 'payment-signature': text };
}

export const isCredential = (payload: object): payload is PaymentCredential => 'challenge' in payload;

export const carriesPayment = (headers: Readonly<Record<string, string>>): boolean =>
  ['payment-signature', 'x-payment', 'payment-authorization'].some((name) => name in headers) ||
  headers['authorization']?.startsWith('Payment ') === true;

/**
 * The price in a 402 where challenges of MPP are read too, at `receivedAt`. One of x402 counts before them; where they ask for
 * something else, neither is a price.
 */
export function demandIn(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { receivedAt, paid }: { readonly receivedAt: number; readonly paid: object | null },
): unknown {
  const price = requirementOf(headers, body);
  // What became of a payment by a challenge is told by the problem, whatever is asked for beside it.
  const isAnswered = paid !== null && isCredential(paid);
  const requirement = isAnswered && isObject(price) ? { ...price, error: problemIn(body) } : price;
  const header = headers['www-authenticate'];
  const isAsked = header !== undefined && /(^|,)\s*payment\s/i.test(header);
  if (!isAsked) return requirement;
  const challenges = challengesIn(header);
  if (challenges === null) return undefined;
  if (challenges.length === 0) return requirement;
  const asked: Challenged = {
    challenges: [...challenges],
    receivedAt: new Date(receivedAt).toISOString(),
    ...(paid !== null && { error: problemIn(body) }),
  };
  if (isAnswered || !saysOfX402(headers, body)) return asked;
  return saysTheSame(requirement, asked) ? requirement : undefined;
}

/** Also a price that makes no sense is one: the challenge beside it does not mend it. */
const saysOfX402 = (headers: IncomingHttpHeaders, body: Buffer): boolean =>
  headers['payment-required'] !== undefined || priceIn(body.toString('utf8')) !== undefined;

/** Problems that a service finds before it sends a payment to the chain; of `verification-failed` nobody can say. */
const isUnsent = new Set([
  'payment-required',
  'malformed-credential',
  'invalid-challenge',
  'invalid-payload',
  'payment-expired',
  'method-unsupported',
  'bad-request',
]);

/** Returns why a payment was answered with another price, in the terms of `judgeSettlement`. */
function problemIn(body: Buffer): string {
  const type = objectIn(body.toString('utf8'))?.['type'];
  const name = typeof type === 'string' ? /\/problems\/([a-z-]{1,64})$/.exec(type)?.[1] : undefined;
  return name !== undefined && isUnsent.has(name) ? name : 'unknown';
}

/**
 * The price in a 402, undefined where it has none that makes sense. v2 has it in `PAYMENT-REQUIRED`, v1 in the body; who serves
 * clients of both has one in each, of which v2 counts. Two copies of one version must say the same.
 */
export function requirementOf(headers: IncomingHttpHeaders, body: Buffer): unknown {
  const header = headers['payment-required'];
  const inBody = priceIn(body.toString('utf8'));
  if (header === undefined) return inBody;
  const inHeader = typeof header === 'string' ? priceIn(fromBase64(header)) : undefined;
  const isOfOne = inBody?.['x402Version'] === inHeader?.['x402Version'];
  if (isOfOne && inBody !== undefined && !sameJson(inBody, inHeader)) return undefined;
  return inHeader;
}

function priceIn(text: string): Record<string, unknown> | undefined {
  const value = objectIn(text);
  if (value === undefined || !('x402Version' in value || 'accepts' in value)) return undefined;
  return isTooLong(value) ? undefined : value;
}

/**
 * What the service says of the settlement: `PAYMENT-RESPONSE`, in v1 `X-PAYMENT-RESPONSE`; undefined where it says nothing.
 * Of a payment that answered a challenge its `Payment-Receipt`, in the words of x402.
 */
export function settlementOf(headers: IncomingHttpHeaders, payload: object | null = null): unknown {
  if (payload !== null && isCredential(payload)) return receiptOf(headers, payload);
  const header = headers['payment-response'] ?? headers['x-payment-response'];
  return typeof header === 'string' ? objectIn(fromBase64(header)) : undefined;
}

/** It names no chain: the chain is that of the payment. */
function receiptOf(headers: IncomingHttpHeaders, { challenge, source }: PaymentCredential): unknown {
  const header = headers['payment-receipt'];
  const text = typeof header === 'string' ? Buffer.from(header, 'base64url').toString('utf8') : '';
  const parsed = paymentReceipt.safeParse(objectIn(text));
  if (!parsed.success) return undefined;
  const { reference, challengeId = challenge.id } = parsed.data;
  const [, network] = /^did:pkh:(eip155:\d+):/.exec(source) ?? [];
  return challengeId === challenge.id ? { success: true, transaction: reference, network } : undefined;
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

/** Undefined for what is no JSON object, or one that nobody honest nests so deep. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isDeeperThan(value, maxDepth) ? value : undefined;
  } catch {
    return undefined;
  }
}
