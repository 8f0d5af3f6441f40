import type { Dialect, Json } from '../dialect.ts';
import { type VaultCode, vaultCodes } from './codes.ts';

/** `bearer`: a token in `Authorization`; its scopes must cover the route's. */
export type VaultAuth = 'none' | 'bearer';

/** Plain JSON on success, `{error: {code, message}}` otherwise (document 3, Errors). */
export const vaultDialect: Dialect<VaultCode, VaultAuth> = {
  status: (code) => vaultCodes[code],
  faults: {
    unreadable: 'invalid_request',
    invalid: 'invalid_request',
    'too-large': 'invalid_request',
    'media-type': 'invalid_request',
    'wrong-method': 'invalid_request',
    'no-endpoint': 'not_found',
    'rate-limited': 'rate_limited',
    'not-ready': 'internal_error',
    unforeseen: 'internal_error',
  },
  success: (data) => data,
  refusal: ({ code, msg, data }) => ({ error: { code, message: msg }, ...(data as Json | undefined) }),
  refusalType: 'application/json',
  schemas: {
    success: (data) => data,
    refusal: (codes) => ({
      type: 'object',
      properties: {
        error: {
          type: 'object',
          properties: { code: { enum: codes }, message: { type: 'string' } },
          required: ['code', 'message'],
        },
      },
      required: ['error'],
    }),
  },
  proofs: {
    none: { security: [], refusals: () => [] },
    bearer: {
      security: [{ bearer: [] }],
      refusals: ({ scope }) => [
        'unauthorized',
        'token_expired',
        'token_revoked',
        ...(scope === undefined ? [] : (['insufficient_scope'] as const)),
      ],
    },
  },
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'PASETO v4.local' } },
};
