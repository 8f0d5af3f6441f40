/** Of what a key had asked for that was revoked before it ran. */
export const asRevoked = {
  status: 'cancelled',
  problem: { code: 'key_revoked', message: 'the key that requested it was revoked before it ran' },
} as const;
