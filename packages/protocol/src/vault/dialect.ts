import { z } from 'zod';
import type { Dialect, Json } from '../dialect.ts';
import { type VaultCode, vaultCodes } from './codes.ts';

/** `bearer`: a token in `Authorization`; its scopes must cover the route's. */
export type VaultAuth = 'none' | 'bearer';

const codes = Object.keys(vaultCodes) as [VaultCode, ...VaultCode[]];
const refusal = z.looseObject({
  error: z.object({ code: z.enum([...codes, 'unknown']).catch('unknown'), message: z.string() }),
});

/** Plain JSON on success, `{error: {code, message}}` otherwise (vault.error.shape). */
export const vaultDialect: Dialect<VaultCode, VaultAuth> = {
  status: (code) => vaultCodes[code],
  faults: {
    unreadable: 'invalid_request',
    invalid: 'invalid_request',
    'too-large': 'payload_too_large',
    'media-type': 'invalid_request',
    'wrong-method': 'method_not_allowed',
    'no-endpoint': 'not_found',
    'rate-limited': 'rate_limited',
    'not-ready': 'internal_error',
    unforeseen: 'internal_error',
  },
  success: (data) => data,
  refusal: ({ code, msg, data }) => ({ error: { code, message: msg }, ...(data as Json | undefined) }),
  readSuccess: (answer) => answer,
  readRefusal(answer) {
    const read = refusal.safeParse(answer);
    if (!read.success) return null;
    const { error, ...data } = read.data;
    return { code: error.code, msg: error.message, data };
  },
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
