import { hash } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { ok, type Result } from '@countersign/protocol/result';
import { type Refusal, refusal, refusalForNow } from '../refusal.ts';

/**
 * Reads the header `Idempotency-Key`: a string of structured fields (RFC 9651: `"abc"`), or bare as most send it; 1 to 255
 * printable ASCII characters (draft-ietf-httpapi-idempotency-key-header).
 */
export function readIdempotencyKey(header: string | null): Result<string, Refusal> {
  if (header === null || header.trim() === '')
    return refusal(
      'idempotency_key_required',
      'the header Idempotency-Key is required: send a new one for each request',
    );
  const text = header.trim();
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  const key = quoted ?? text;
  const isKey = (quoted !== undefined || !text.startsWith('"')) && /^[\x20-\x7e]{1,255}$/.test(key);
  return isKey
    ? ok(key)
    : refusal('invalid_request', 'Idempotency-Key: must be 1 to 255 printable ASCII characters');
}

/** Returns the fingerprint by which two requests count as the same. */
export const fingerprintOf = (route: string, body: object): Buffer =>
  hash('sha256', `${route}\n${canonicalText(body)}`, 'buffer');

export const keyReused = refusal(
  'idempotency_key_reused',
  'this Idempotency-Key was already used with another request: send a new key',
);

/** The first one is not answered yet. */
export const keyInUse = refusalForNow(
  'idempotency_key_in_use',
  'the request with this Idempotency-Key is still in progress: try again later',
);

export const replayed = { 'idempotent-replayed': 'true' };
