import { z } from 'zod';
import { legibleName } from '../legible-name.ts';
import type { RouteTable } from '../route.ts';
import { agentDid, page } from './fields.ts';
import type { VaultCode } from './codes.ts';
import type { VaultAuth } from './dialect.ts';
import { scope, scopes } from './scopes.ts';

const time = z.iso.datetime();

const loggedIn = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds until the access token ends. */
  expires_in: z.int(),
});

const tokenInfo = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scope),
  credential_ids: z.array(z.string()).optional(),
  agent_did: z.string().optional(),
  created_at: time,
  expires_at: time,
  revoked_at: z.nullable(time),
});

const assertion = z.strictObject({
  assertion: z
    .string()
    .min(1)
    .max(8192)
    .describe(
      'JWT (RFC 7519) by Ed25519 with aud `countersign-vault`; it is good for a minute and counts once',
    ),
});

/** Login and tokens, which are PASETO v4.local (spec: vault.token). */
export const tokenRoutes = {
  login: {
    method: 'POST',
    path: '/api/v1/auth/login',
    auth: 'none',
    summary: 'Log in and get an access token for 15 minutes and a refresh token for 30 days',
    body: z.strictObject({
      username: z.string().min(1).max(128),
      password: z.string().min(1).max(1024),
    }),
    data: loggedIn,
    refusals: ['unauthorized', 'rate_limited'],
  },
  refresh: {
    method: 'POST',
    path: '/api/v1/auth/refresh',
    auth: 'none',
    summary:
      'Exchange a refresh token for new tokens. It can be used once; using it again revokes all tokens of its login',
    body: z.strictObject({ refresh_token: z.string().min(1).max(8192) }),
    data: loggedIn,
    refusals: ['unauthorized', 'token_expired', 'token_revoked'],
  },
  signInPerson: {
    method: 'POST',
    path: '/api/v1/auth/person',
    auth: 'none',
    summary:
      'Exchange an assertion signed by the trusted dashboard for a 15-minute access token of the person signed in there',
    body: assertion,
    data: loggedIn.omit({ refresh_token: true }).extend({
      /** The name in the audit log is `user:<username>`. */
      username: z.string(),
      scopes: z.array(scope),
    }),
    refusals: ['unauthorized', 'insufficient_scope'],
  },
  endPerson: {
    method: 'POST',
    path: '/api/v1/auth/person/end',
    auth: 'none',
    summary:
      'Revoke every login of a person of the dashboard, and the tokens they created that their roles no longer allow',
    body: assertion,
    data: z.object({ revoked: z.int() }),
    refusals: ['unauthorized'],
  },
  logout: {
    method: 'POST',
    path: '/api/v1/auth/logout',
    auth: 'bearer',
    summary: 'Log out: revoke the current token and its login’s refresh token',
    data: z.object({ id: z.string(), revoked: z.literal(true) }),
  },
  createToken: {
    method: 'POST',
    path: '/api/v1/tokens',
    auth: 'bearer',
    summary: 'Create a token with at most the caller’s own permissions; the token is shown once',
    body: z.strictObject({
      name: legibleName(z.string().min(1).max(128)),
      scopes: z.array(scope).min(1).max(scopes.length),
      /** Seconds: a minute to a year; a day if absent. A generated token makes none that outlives it. */
      expires_in: z.int().min(60).max(31_536_000).optional(),
      /** The token reaches these credentials only. */
      credential_ids: z.array(z.uuid()).min(1).max(100).optional(),
      /** The agent that gets it: stands in the audit records of what is done with it. */
      agent_did: agentDid.optional(),
    }),
    data: tokenInfo.omit({ revoked_at: true }).extend({ token: z.string() }),
    created: true,
    refusals: ['insufficient_scope', 'rate_limited'],
  },
  listTokens: {
    method: 'GET',
    path: '/api/v1/tokens',
    auth: 'bearer',
    summary:
      'List created tokens without their secrets, newest first: your own (for a created token, itself and those it created) or, with admin, the tenant’s',
    query: z.object(page),
    data: z.object({ items: z.array(tokenInfo), total: z.int() }),
  },
  verifyToken: {
    method: 'POST',
    path: '/api/v1/tokens/verify',
    auth: 'bearer',
    summary: 'Check whether a token of this tenant is valid: neither expired nor revoked',
    body: z.strictObject({ token: z.string().max(8192) }),
    data: z.object({
      valid: z.boolean(),
      id: z.string().optional(),
      scopes: z.array(scope).optional(),
      expires_at: time.optional(),
      reason: z.enum(['malformed', 'expired', 'revoked']).optional(),
    }),
  },
  revokeToken: {
    method: 'POST',
    path: '/api/v1/tokens/:id/revoke',
    auth: 'bearer',
    summary: 'Revoke a token and every token created with it, effective on every process',
    data: z.object({ id: z.string(), revoked: z.literal(true) }),
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<VaultCode, VaultAuth>;
