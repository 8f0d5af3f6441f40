import { z } from 'zod';
import { legibleName } from '../legible-name.ts';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { keyScopes } from './key-scopes.ts';
import { roles } from './roles.ts';
import { signature } from './signature.ts';

const keyScope = z.enum(keyScopes);

const time = z.iso.datetime();

const account = z.object({
  id: z.string(),
  walletAddress: addressText,
  platformId: z.string(),
  publicKey: z.nullable(z.string()),
  createdAt: time,
});

/** A key's scopes and lifetime. */
const reach = {
  scopes: z
    .nullable(z.array(keyScope))
    .describe('Null: a key without scopes, which may do all that a gateway asks and nothing else'),
  agentWallet: z.nullable(addressText).describe('The one agent whose gateway the key is for; null: any'),
  expiresAt: z.nullable(time),
};

const apiKeyInfo = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: time,
  lastUsedAt: z.nullable(time),
  revokedAt: z.nullable(time),
  ...reach,
});

/** A new key, with its text. */
const newApiKey = z.object({
  id: z.string(),
  apiKey: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: time,
  ...reach,
});

/** The answer of every way to sign in. */
export const signedIn = z.object({ token: z.string(), expiresAt: time, account });

const session = z.object({
  id: z.string(),
  person: z.object({ id: z.string(), name: z.string() }),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  current: z.boolean(),
});

/** Wallet login, sessions, API keys and public keys (spec: dashboard.login). */
export const accessRoutes = {
  nonce: {
    method: 'POST',
    path: '/api/auth/nonce',
    auth: 'none',
    summary:
      'Create a single-use nonce for a Sign-In with Ethereum message; the answer also has the chain the message must name; valid for 10 minutes',
    data: z.object({ nonce: z.string(), chainId: z.int() }),
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    auth: 'none',
    summary: 'Log in with a signed EIP-4361 message; the first login creates the account',
    body: z.object({ message: z.string().max(4096), signature }),
    data: signedIn,
    refusals: ['AUTHENTICATION_FAILED'],
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    auth: 'session',
    summary: 'Log out: revoke the current session',
    data: z.null(),
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    auth: 'session',
    summary: 'Get the logged-in account, the logged-in person, and whether they see the operators’ pages',
    data: z.object({
      account,
      operator: z.boolean(),
      person: z.object({
        id: z.string(),
        name: z.string(),
        roles: z.array(z.enum(roles)),
        holder: z.boolean().describe('Logged in with the account’s wallet'),
      }),
    }),
  },
  listSessions: {
    method: 'GET',
    path: '/api/auth/sessions',
    auth: 'session',
    summary:
      'List active sessions, newest first: an owner sees the whole account’s, everybody else their own',
    data: z.object({ data: z.array(session) }),
  },
  revokeSession: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    auth: 'session',
    summary:
      'Revoke a session, effective on every process: an owner any of the account’s, everybody else their own',
    data: z.object({ id: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    auth: 'session',
    summary:
      'Create an API key; the key is shown once. Without scopes it may do all that a gateway asks; with agentWallet only for that agent, until its terms run out or it is stopped; after validDays it has expired',
    body: z.object({
      name: legibleName(z.string().min(1).max(64)),
      scopes: z
        .array(keyScope)
        .min(1)
        .max(keyScopes.length)
        .refine((all) => new Set(all).size === all.length, 'must not repeat a scope')
        .optional(),
      agentWallet: addressText.optional(),
      validDays: z.int().min(1).max(365).optional(),
    }),
    data: newApiKey,
    refusals: ['BUSINESS_NOT_FOUND', 'INVALID_PARAM'],
  },
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    auth: 'session',
    summary: 'List the account’s API keys, newest first',
    data: z.object({ data: z.array(apiKeyInfo) }),
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:id',
    auth: 'session',
    summary: 'Revoke an API key',
    data: z.object({ id: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  rollKey: {
    method: 'POST',
    path: '/api/keys/:id/roll',
    auth: 'session',
    summary:
      'Roll an API key: create a new one with the same name, scopes, agent and days of validity; the old one stops working after graceSeconds',
    body: z.object({ graceSeconds: z.int().min(0).max(604_800).default(0) }),
    data: newApiKey,
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  publicKey: {
    method: 'POST',
    path: '/api/accounts/public-key',
    auth: 'api-key',
    scope: 'accounts:read',
    summary: 'Get the registered public key of a wallet',
    body: z.object({ walletAddress: addressText }),
    data: z.object({ walletAddress: addressText, publicKey: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
