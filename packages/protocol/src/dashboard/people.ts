import { z } from 'zod';
import { addressText } from '../address.ts';
import { legibleName } from '../legible-name.ts';
import type { RouteTable } from '../route.ts';
import { signedIn } from './access.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { listOf } from './page.ts';
import { roles } from './roles.ts';

const time = z.iso.datetime();
const role = z.enum(roles);
const name = legibleName(z.string().min(1).max(64));
const roleList = z
  .array(role)
  .min(1)
  .max(roles.length)
  .refine((all) => new Set(all).size === all.length, 'must not repeat a role');

/** Whoever did something; `id` is `holder` for the wallet's holder. */
export const actor = z.object({ id: z.string(), name: z.string() });

const person = z.object({
  id: z.string().describe('`holder` for the wallet’s holder'),
  name: z.string(),
  roles: z.array(role),
  holder: z.boolean(),
  userName: z.nullable(z.string()).describe('Null: no sign-in with a password'),
  passkeys: z.int(),
  issuer: z
    .nullable(z.string())
    .describe('The OpenID Connect provider whose groups give the roles; null: somebody who was invited'),
  createdAt: time,
});

const invitation = z.object({
  id: z.string(),
  name: z.string(),
  roles: z.array(role),
  personId: z.nullable(z.string()).describe('The person who gets a new sign-in; null: somebody new'),
  invitedBy: actor,
  state: z.enum(['open', 'used', 'revoked', 'expired']),
  createdAt: time,
  expiresAt: time,
});

/** An invitation with its token, which is shown once. Whoever has the token can accept. */
const newInvitation = z.object({ invitation, token: z.string() });

const change = z.object({
  id: z.int(),
  at: time,
  by: actor,
  deed: z.string().describe('operationId of what was called'),
  subject: z.nullable(z.string()).describe('Id of what it was about, where the call named one'),
  result: z
    .nullable(z.string())
    .describe('Id that the answer named, where it is another: the key that replaced a rolled one'),
  outcome: z
    .nullable(z.string())
    .describe(
      '`done`, or the business code of the refusal; null: under way, or the service stopped meanwhile',
    ),
});

const token = z.string().min(1).max(128);
const base64url = (max: number) =>
  z
    .string()
    .regex(/^[\w-]*={0,2}$/)
    .max(max);

/** The JSON result of `navigator.credentials` (WebAuthn, 5.1). */
const credential = { id: base64url(2_048), rawId: base64url(2_048), type: z.literal('public-key') };
const made = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url(4_096), attestationObject: base64url(65_536) }),
});
const shown = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(4_096),
    signature: base64url(4_096),
    userHandle: base64url(256).nullish(),
  }),
});
const options = z.looseObject({ challenge: z.string() });

const userName = z.string().min(1).max(64);
const password = z.string().min(1).max(256);

/** The people of an account, their invitations, their sign-ins, and what each of them did. */
export const peopleRoutes = {
  listPeople: {
    method: 'GET',
    path: '/api/people',
    auth: 'session',
    summary: 'List the people of the account, the wallet’s holder first',
    data: z.object({ data: z.array(person) }),
  },
  changeRoles: {
    method: 'POST',
    path: '/api/people/:id/roles',
    auth: 'session',
    summary:
      'Change somebody’s roles, effective with the next request; neither theirs nor the new ones may be higher than your own. API keys and connections that they made end with the role that allowed them',
    body: z.object({ roles: roleList }),
    data: z.object({ person }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  removePerson: {
    method: 'DELETE',
    path: '/api/people/:id',
    auth: 'session',
    summary:
      'Remove a person: their sessions end immediately, on every process; their open invitations, the API keys that they created and the clients that they connected are revoked',
    data: z.object({ id: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  renewSignIn: {
    method: 'POST',
    path: '/api/people/:id/invitation',
    auth: 'session',
    summary: 'Invite a person of the account to choose a new sign-in, which replaces their current one',
    data: newInvitation,
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  invitePerson: {
    method: 'POST',
    path: '/api/people/invitations',
    auth: 'session',
    summary:
      'Invite a person with roles no higher than your own; the token is shown once, works once, and expires after 72 hours',
    body: z.object({ name, roles: roleList }),
    data: newInvitation,
    refusals: ['REPEATED_SUBMIT'],
  },
  listInvitations: {
    method: 'GET',
    path: '/api/people/invitations',
    auth: 'session',
    summary: 'List the account’s newest 100 invitations, newest first',
    data: z.object({ data: z.array(invitation) }),
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/api/people/invitations/:id',
    auth: 'session',
    summary: 'Revoke an open invitation',
    data: z.object({ id: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  listChanges: {
    method: 'GET',
    path: '/api/people/changes',
    auth: 'session',
    summary: 'List what the account’s people changed or tried to change, newest first',
    query: z.object({ page: z.int().min(1).default(1), limit: z.int().min(1).max(100).default(20) }),
    data: listOf(change),
  },
  lookAtInvitation: {
    method: 'POST',
    path: '/api/invitations/look',
    auth: 'none',
    summary: 'Get what an invitation offers',
    body: z.object({ token }),
    data: z.object({
      name: z.string(),
      roles: z.array(role),
      walletAddress: addressText,
      renews: z.boolean().describe('It replaces the sign-in of somebody who is there'),
      expiresAt: time,
    }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  passkeyCreation: {
    method: 'POST',
    path: '/api/invitations/passkey',
    auth: 'none',
    summary:
      'Get WebAuthn creation options for the passkey of whoever accepts this invitation; the challenge works once, for 10 minutes',
    body: z.object({ token }),
    data: z.object({ options }),
    refusals: ['BUSINESS_NOT_FOUND', 'UNAUTHORIZED_OPERATION'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/invitations/accept',
    auth: 'none',
    summary: 'Accept an invitation with a passkey, a user name and password, or both, and sign in',
    body: z.object({
      token,
      name: name.optional(),
      password: z.object({ userName, password }).optional(),
      passkey: made.optional(),
    }),
    data: signedIn,
    refusals: [
      'BUSINESS_NOT_FOUND',
      'INVALID_PARAM',
      'AUTHENTICATION_FAILED',
      'REPEATED_SUBMIT',
      'UNAUTHORIZED_OPERATION',
    ],
  },
  passkeyRequest: {
    method: 'POST',
    path: '/api/auth/passkey/options',
    auth: 'none',
    summary: 'Get WebAuthn request options; the challenge works once, for 10 minutes',
    data: z.object({ options }),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
  passkeyLogin: {
    method: 'POST',
    path: '/api/auth/passkey/login',
    auth: 'none',
    summary: 'Log in with a passkey',
    body: z.object({ passkey: shown }),
    data: signedIn,
    refusals: ['AUTHENTICATION_FAILED', 'UNAUTHORIZED_OPERATION'],
  },
  passwordLogin: {
    method: 'POST',
    path: '/api/auth/password/login',
    auth: 'none',
    summary: 'Log in with a user name and password',
    body: z.object({ userName, password }),
    data: signedIn,
    refusals: ['AUTHENTICATION_FAILED', 'RATE_LIMITED'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
