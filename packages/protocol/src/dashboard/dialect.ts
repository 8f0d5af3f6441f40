import { z } from 'zod';
import type { Dialect, Json } from '../dialect.ts';
import { type DashboardCode, dashboardCodes } from './codes.ts';

/**
 * How callers of the dashboard prove who they are; `signature` is a webhook's. Where `session-or-key` stands, an API key as the
 * bearer token will do, if it has the route's scope.
 */
export type DashboardAuth = 'none' | 'api-key' | 'session' | 'session-or-key' | 'signature';

const bearerOrCookie = [{ bearer: [] }, { cookie: [] }];

const envelope = z.object({ code: z.number(), msg: z.string(), data: z.unknown() });
const names = new Map<number, DashboardCode>(
  Object.entries(dashboardCodes).map(([name, { code }]) => [code, name as DashboardCode]),
);

/** The envelope on every answer (spec: dashboard.envelope). */
export const dashboardDialect: Dialect<DashboardCode, DashboardAuth> = {
  status: (code) => dashboardCodes[code].http,
  faults: {
    unreadable: 'PARAM_ERROR',
    invalid: 'INVALID_PARAM',
    'too-large': 'PARAM_ERROR',
    'media-type': 'PARAM_ERROR',
    'wrong-method': 'PARAM_ERROR',
    'no-endpoint': 'BUSINESS_NOT_FOUND',
    'rate-limited': 'RATE_LIMITED',
    'not-ready': 'SYSTEM_ERROR',
    unforeseen: 'SYSTEM_ERROR',
  },
  success: (data) => ({ code: dashboardCodes.SUCCESS.code, msg: 'success', data }),
  refusal: ({ code, msg, data }) => ({ code: dashboardCodes[code].code, msg, data: data ?? null }),
  readSuccess(answer) {
    const read = envelope.safeParse(answer);
    return read.success && read.data.code === dashboardCodes.SUCCESS.code ? read.data.data : undefined;
  },
  readRefusal(answer) {
    const read = envelope.safeParse(answer);
    if (!read.success) return null;
    const { code, msg, data } = read.data;
    return { code: names.get(code) ?? 'unknown', msg, data };
  },
  refusalType: 'application/json',
  schemas: {
    success: (data) => envelopeOf([dashboardCodes.SUCCESS.code], data),
    refusal: (codes) => envelopeOf([...new Set(codes.map((code) => dashboardCodes[code].code))], {}),
  },
  proofs: {
    none: { security: [], refusals: () => [] },
    // OpenAPI has no security scheme for a key in the JSON body.
    'api-key': {
      security: [],
      fields: { apiKey: { type: 'string' } },
      refusals: ({ scope }) => [
        'API_KEY_INVALID',
        ...(scope === undefined ? [] : (['UNAUTHORIZED_OPERATION'] as const)),
      ],
    },
    session: {
      security: bearerOrCookie,
      refusals: () => ['ACCESS_TOKEN_REQUIRED', 'AUTHENTICATION_FAILED', 'UNAUTHORIZED_OPERATION'],
    },
    'session-or-key': {
      security: bearerOrCookie,
      refusals: () => [
        'ACCESS_TOKEN_REQUIRED',
        'AUTHENTICATION_FAILED',
        'API_KEY_INVALID',
        'UNAUTHORIZED_OPERATION',
      ],
    },
    signature: { security: [], refusals: () => ['AUTHENTICATION_FAILED'] },
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token of a session; where a scope is named, also an API key that has it',
    },
    cookie: { type: 'apiKey', in: 'cookie', name: 'platform_session' },
  },
};

const envelopeOf = (codes: readonly number[], data: Json): Json => ({
  type: 'object',
  properties: { code: { enum: codes }, msg: { type: 'string' }, data },
  required: ['code', 'msg', 'data'],
});
