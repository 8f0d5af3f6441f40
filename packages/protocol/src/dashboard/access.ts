import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';

const time = z.iso.datetime();

const account = z.object({
  id: z.string(),
  walletAddress: addressText,
  platformId: z.string(),
  publicKey: z.nullable(z.string()),
  createdAt: time,
});

const apiKeyInfo = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: time,
  lastUsedAt: z.nullable(time),
  revokedAt: z.nullable(time),
});

/** A new key, with its text. */
const newApiKey = z.object({
  id: z.string(),
  apiKey: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: time,
});

const session = z.object({
  id: z.string(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  current: z.boolean(),
});

/** Wallet login, sessions, API keys and public keys (document 2, Authentication and endpoint 1). */
export const accessRoutes = {
  nonce: {
    method: 'POST',
    path: '/api/auth/nonce',
    auth: 'none',
    summary:
      'A single-use nonce for a Sign-In with Ethereum message, and the chain it must name; lives 10 minutes',
    data: z.object({ nonce: z.string(), chainId: z.int() }),
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    auth: 'none',
    summary: 'Log in with a signed EIP-4361 message; the first login makes the account',
    // A wallet that is not deployed yet sends along how to deploy it (ERC-6492).
    body: z.object({ message: z.string().max(4096), signature: z.string().max(32_768) }),
    data: z.object({ token: z.string(), expiresAt: time, account }),
    refusals: ['AUTHENTICATION_FAILED'],
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    auth: 'session',
    summary: 'Revoke this session',
    data: z.null(),
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    auth: 'session',
    summary: 'The account that is logged in, and whether it is an operator’s',
    data: z.object({ account, operator: z.boolean() }),
  },
  listSessions: {
    method: 'GET',
    path: '/api/auth/sessions',
    auth: 'session',
    summary: 'Live sessions of the account, newest first',
    data: z.object({ data: z.array(session) }),
  },
  revokeSession: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    auth: 'session',
    summary: 'End a session of the account, on every process',
    data: z.object({ id: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    auth: 'session',
    summary: 'Make an API key; its text is shown this once',
    body: z.object({ name: z.string().min(1).max(64) }),
    data: newApiKey,
  },
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    auth: 'session',
    summary: 'API keys of the account, newest first',
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
    summary: 'Make a new key of the same name; the old one ends after graceSeconds',
    body: z.object({ graceSeconds: z.int().min(0).max(604_800).default(0) }),
    data: newApiKey,
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT'],
  },
  publicKey: {
    method: 'POST',
    path: '/api/accounts/public-key',
    auth: 'api-key',
    summary: 'The registered public key of a wallet',
    body: z.object({ walletAddress: addressText }),
    data: z.object({ walletAddress: addressText, publicKey: z.string() }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
