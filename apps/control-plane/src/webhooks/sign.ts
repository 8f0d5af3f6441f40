import { createHmac } from 'node:crypto';

/** The text that a user is shown: Standard Webhooks, Symmetric. */
export const secretText = (key: Uint8Array): string => `whsec_${Buffer.from(key).toString('base64')}`;

/** The key of a secret as Standard Webhooks writes it; of any other text its own bytes. */
export const keyOfSecret = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);

/**
 * Headers of one attempt: Standard Webhooks 1.0, and beside them HMAC-SHA256 over the raw body alone, in hex, which is how
 * control-plane.webhook.signature can be read too. With several keys each header has a signature of each, with spaces between.
 * `timestamp` in seconds.
 */
export function signedHeaders(keys: readonly Uint8Array[], id: string, timestamp: number, body: string) {
  const macs = (before: string, text: string, form: 'base64' | 'hex') =>
    keys.map((key) => before + createHmac('sha256', key).update(text).digest(form)).join(' ');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': macs('v1,', `${id}.${timestamp}.${body}`, 'base64'),
    'x-webhook-signature-256': macs('sha256=', body, 'hex'),
  };
}
