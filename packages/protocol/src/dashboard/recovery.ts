import { z } from 'zod';
import { addressText } from '../address.ts';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { signature } from './signature.ts';

const time = z.iso.datetime();
const change = z.object({
  id: z.string(),
  to: z.nullable(addressText).describe('Who is named then; null: nobody'),
  askedAt: time,
  countsFrom: time.describe('Until then it can be objected to'),
});
const claim = z.object({
  id: z.string(),
  walletAddress: addressText.describe('Who recovers'),
  askedAt: time,
  dueAt: time.describe('From then on the account is closed; until then its wallet can object'),
});

/** An account's recovery state: its own, and that of accounts which named its wallet. */
export const recovery = z.object({
  address: z.nullable(z.object({ walletAddress: addressText, since: time })),
  change: z.nullable(change),
  claim: z.nullable(claim),
  namedBy: z
    .array(
      z.object({
        walletAddress: addressText,
        since: time,
        change: z.nullable(change),
        claim: z.nullable(claim),
      }),
    )
    .describe('Accounts that name this one’s wallet, the latest 100'),
  recovered: z.array(z.object({ accountId: z.string(), walletAddress: addressText, closedAt: time })),
  delays: z.object({ changeSeconds: z.int(), claimSeconds: z.int() }),
});
export type Recovery = z.infer<typeof recovery>;
export type RecoveryChange = z.infer<typeof change>;
export type RecoveryClaim = z.infer<typeof claim>;

const nonce = z.string().max(64);
const one = z.object({ recovery });

/** A lost wallet: who may recover its account, recovering, objecting (spec: dashboard.recovery). */
export const recoveryRoutes = {
  getRecovery: {
    method: 'GET',
    path: '/api/recovery',
    auth: 'session',
    summary:
      'Get the account’s recovery address, pending changes, the accounts whose recovery address is this wallet, and those it recovered',
    data: one,
  },
  nameRecovery: {
    method: 'POST',
    path: '/api/recovery/address',
    auth: 'session',
    summary:
      'Set the account’s recovery address, or none (null), with its wallet’s EIP-712 NameRecoveryAddress. The first takes effect immediately; later ones after a delay, in which the current address or the wallet can object',
    body: z.object({ recoveryAddress: z.nullable(addressText), nonce, signature }),
    data: one,
    refusals: ['INVALID_PARAM', 'REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION'],
  },
  recoverAccount: {
    method: 'POST',
    path: '/api/recovery/claims',
    auth: 'session',
    summary:
      'Recover the account of a lost wallet whose recovery address is this wallet, with this wallet’s EIP-712 RecoverAccount. After a delay, in which the lost wallet can object, the account is permanently closed',
    body: z.object({ walletAddress: addressText, nonce, signature }),
    data: one,
    refusals: ['BUSINESS_NOT_FOUND', 'REPEATED_SUBMIT', 'UNAUTHORIZED_OPERATION'],
  },
  objectToRecovery: {
    method: 'POST',
    path: '/api/recovery/objections',
    auth: 'session',
    summary:
      'Stop a change of the recovery address, or a recovery, before it takes effect, with the EIP-712 ObjectToRecovery of a wallet that it concerns',
    body: z.object({ id: z.string().max(64), nonce, signature }),
    data: one,
    refusals: ['BUSINESS_NOT_FOUND', 'UNAUTHORIZED_OPERATION'],
  },
  recoveredRecords: {
    method: 'POST',
    path: '/api/recovery/records',
    auth: 'session',
    summary: 'Export the records of an account that this one recovered; no identity, sign-in or session',
    body: z.object({ accountId: z.string().max(64) }),
    data: z.looseObject({ exportedAt: time, complete: z.literal(true) }),
    refusals: ['BUSINESS_NOT_FOUND'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
