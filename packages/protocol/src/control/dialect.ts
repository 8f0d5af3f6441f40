import { z } from 'zod';
import type { Dialect, Json } from '../dialect.ts';
import { type ControlCode, controlCodes } from './codes.ts';

/** `key`: an API key in `Authorization: Bearer`, whose role must cover the route's scope. */
export type ControlAuth = 'none' | 'key';

/** Scopes that routes require and roles grant. `keep` is for managing credentials. */
export const controlScopes = ['read', 'execute', 'decide', 'keep', 'write'] as const;
export type ControlScope = (typeof controlScopes)[number];
/** These need a client certificate besides. */
export const needsCertificate = (scope: ControlScope): boolean => scope === 'write' || scope === 'keep';

/** Codes of errors (spec: control-plane.error). */
export const rolesScopes = {
  admin: ['read', 'execute', 'keep', 'write'],
  service: ['read', 'execute', 'keep'],
  approver: ['read', 'decide'],
} as const satisfies Record<string, readonly ControlScope[]>;
export type Role = keyof typeof rolesScopes;
export const roles = Object.keys(rolesScopes) as [Role, ...Role[]];

const codes = Object.keys(controlCodes) as [ControlCode, ...ControlCode[]];
const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum([...codes, 'unknown']).catch('unknown'),
  detail: z.string(),
});

/** Plain JSON on success, problem details (RFC 9457) with `code` otherwise. */
export const controlDialect: Dialect<ControlCode, ControlAuth> = {
  status: (code) => controlCodes[code],
  faults: {
    unreadable: 'invalid_request',
    invalid: 'invalid_request',
    'too-large': 'payload_too_large',
    'media-type': 'unsupported_media_type',
    'wrong-method': 'method_not_allowed',
    'no-endpoint': 'not_found',
    'rate-limited': 'rate_limited',
    'not-ready': 'not_ready',
    unforeseen: 'internal_error',
  },
  success: (data) => data,
  refusal: ({ code, msg, data }) => ({
    type: 'about:blank',
    title: code.replaceAll('_', ' '),
    status: controlCodes[code],
    code,
    detail: msg,
    ...(data as Json | undefined),
  }),
  readSuccess: (answer) => answer,
  readRefusal(answer) {
    const read = problem.safeParse(answer);
    if (!read.success) return null;
    const { type: _, title: __, status: ___, code, detail, ...data } = read.data;
    return { code, msg: detail, data };
  },
  refusalType: 'application/problem+json',
  schemas: {
    success: (data) => data,
    refusal: (codes) => ({
      type: 'object',
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        code: { enum: codes },
        detail: { type: 'string' },
      },
      required: ['type', 'title', 'status', 'code', 'detail'],
    }),
  },
  proofs: {
    none: { security: [], refusals: () => [] },
    key: {
      security: [{ key: [] }],
      refusals: ({ scope }) => [
        'unauthorized',
        'insufficient_role',
        ...(needsCertificate(scope as ControlScope) ? (['client_certificate_required'] as const) : []),
      ],
    },
  },
  securitySchemes: { key: { type: 'http', scheme: 'bearer', bearerFormat: 'API key' } },
};
