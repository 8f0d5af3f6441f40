/** The end of executions whose key was revoked before they ran. */
export const asRevoked = {
  status: 'cancelled',
  problem: { code: 'key_revoked', message: 'the key that requested it was revoked before it ran' },
} as const;
