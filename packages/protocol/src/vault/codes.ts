/** Codes of the vault's errors and the HTTP status each travels with (vault.error.shape and vault.error.transport). */
export const vaultCodes = {
  invalid_request: 400,
  unauthorized: 401,
  token_expired: 401,
  token_revoked: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  credential_expired: 422,
  rate_limited: 429,
  internal_error: 500,
} as const;

export type VaultCode = keyof typeof vaultCodes;
