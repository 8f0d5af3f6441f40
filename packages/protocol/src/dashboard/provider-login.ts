import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { signedIn } from './access.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';

/** A parameter of an authorization response (RFC 6749, 4.1.2; RFC 9207). Long codes and states exist. */
const parameter = z.string().min(1).max(4_096);

const shutOut = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string().describe('The provider’s, as OpenID Connect has it'),
  shutOutAt: z.iso.datetime(),
});

/** People who sign in through an OpenID Connect provider, and who of them is shut out. */
export const providerLoginRoutes = {
  beginProviderLogin: {
    method: 'POST',
    path: '/api/auth/provider/begin',
    auth: 'none',
    summary:
      'Start a login through the OpenID Connect provider: redirect the browser to the answer’s URL; its cookie binds the redirect back to this browser. Both work once, for 10 minutes',
    data: z.object({ url: z.url() }),
    refusals: ['BUSINESS_NOT_FOUND', 'AUTHENTICATION_FAILED', 'UNAUTHORIZED_OPERATION'],
  },
  providerLogin: {
    method: 'POST',
    path: '/api/auth/provider/login',
    auth: 'none',
    summary:
      'Log in with the parameters of the provider’s redirect. If the provider refused, data.error is its OAuth or OpenID Connect error code',
    body: z.object({
      state: parameter,
      code: parameter.optional(),
      iss: parameter.optional(),
      error: parameter.optional(),
    }),
    data: signedIn,
    refusals: ['BUSINESS_NOT_FOUND', 'AUTHENTICATION_FAILED', 'UNAUTHORIZED_OPERATION'],
  },
  listShutOut: {
    method: 'GET',
    path: '/api/people/shut-out',
    auth: 'session',
    summary: 'List people who were removed and are refused, although the provider’s groups would admit them',
    data: z.object({ data: z.array(shutOut) }),
  },
  letBackIn: {
    method: 'DELETE',
    path: '/api/people/shut-out/:id',
    auth: 'session',
    summary:
      'Readmit a person who was removed: they can sign in through the provider again, with the roles of their groups',
    data: z.object({ id: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
