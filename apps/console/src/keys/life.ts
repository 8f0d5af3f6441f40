import type { AnswerOf } from '../api/endpoint.ts';

export type ApiKey = AnswerOf<'GET /api/keys'>['data'][number];

/** `ending`: it was rolled, and works until its grace is over. `expired`: it may still be rolled. */
export type KeyLife = 'live' | 'ending' | 'expired' | 'ended';

/** Returns whether a key still opens anything; `now` in ms. */
export function keyLife(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyLife {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return 'ended';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return revokedAt === null ? 'expired' : 'ended';
  return revokedAt === null ? 'live' : 'ending';
}

const warningMs = 14 * 24 * 60 * 60_000;

/** Returns whether a key that nobody has replaced yet ends within 14 days. */
export const expiresSoon = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: number): boolean =>
  keyLife(key, now) === 'live' && key.expiresAt !== null && Date.parse(key.expiresAt) - now <= warningMs;
