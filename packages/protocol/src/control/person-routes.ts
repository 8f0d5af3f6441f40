import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';

const assertion = z.strictObject({
  assertion: z
    .string()
    .min(1)
    .max(8192)
    .describe(
      'JWT (RFC 7519) by Ed25519 with aud `countersign-control-plane`; it is good for a minute and counts once',
    ),
});

/** People who are signed in to the dashboard whose word the control plane takes (spec: control-plane.people). */
export const personRoutes = {
  signInPerson: {
    method: 'POST',
    path: '/v1/people/sign-in',
    auth: 'none',
    summary: 'Get a 15-minute token with which a person can read and, if their roles allow it, decide',
    body: assertion,
    data: z.object({
      token: z.string(),
      /** Seconds until the token ends. */
      expires_in: z.int(),
      /** The name that policies and the audit log use. */
      name: z.string(),
    }),
    refusals: ['unauthorized', 'insufficient_role'],
  },
  signOutPerson: {
    method: 'POST',
    path: '/v1/people/sign-out',
    auth: 'key',
    scope: 'read',
    summary: 'Revoke every token of the same session; a key has none',
    body: z.strictObject({}),
    data: z.object({ revoked: z.int() }),
  },
  endPerson: {
    method: 'POST',
    path: '/v1/people/end',
    auth: 'none',
    summary: 'Revoke every token of a person, and their batch approvals',
    body: assertion,
    data: z.object({ revoked: z.int() }),
    refusals: ['unauthorized'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
