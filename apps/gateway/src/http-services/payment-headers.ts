import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../downstream/dialect.ts';
import { isTooLong, sameJson } from '../downstream/read-result.ts';
import { isDeeperThan } from '../rules/json-form.ts';

/** A price is nested some five levels deep. */
const maxDepth = 64;

/** The header that carries a payment: v2 has `PAYMENT-SIGNATURE`, v1 `X-PAYMENT`. */
export function paymentHeaders(payload: object): Readonly<Record<string, string>> {
  const { x402Version } = payload as { x402Version?: unknown };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64');
  return x402Version === 1 ? { 'x-payment': text } : { 'payment-signature': text };
}

export const carriesPayment = (headers: Readonly<Record<string, string>>): boolean =>
  'payment-signature' in headers || 'x-payment' in headers;

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

/** What the service says of the settlement: `PAYMENT-RESPONSE`, in v1 `X-PAYMENT-RESPONSE`; undefined where it says nothing. */
export function settlementOf(headers: IncomingHttpHeaders): unknown {
  const header = headers['payment-response'] ?? headers['x-payment-response'];
  return typeof header === 'string' ? objectIn(fromBase64(header)) : undefined;
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
