import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { DashboardCode } from './codes.ts';
import type { DashboardAuth } from './dialect.ts';
import { signature } from './signature.ts';

/** Kinds of what a dashboard keeps about an account. */
export const personalDataKind = z.enum([
  'account',
  'agents',
  'identities',
  'businesses',
  'decisions',
  'screenings',
  'mandates',
  'drafts',
  'approvals',
  'unpaidApprovals',
  'callArguments',
  'holds',
  'transactions',
  'alerts',
  'apiKeys',
  'connections',
  'people',
  'changes',
  'recovery',
  'sessions',
  'erasures',
]);
export type PersonalDataKind = z.infer<typeof personalDataKind>;

/** One kind of personal data, described for the person. */
export const personalDataSummary = z.object({
  kind: personalDataKind,
  what: z.string(),
  /** The number kept now; null if it is not counted. */
  count: z.nullable(z.int()),
  /** The purpose of keeping it. */
  why: z.string(),
  /** The law that requires it; null if none does. */
  law: z.nullable(z.string()),
  keptFor: z.string(),
  /** The effect of an erasure. */
  onErasure: z.enum(['deleted', 'ended', 'kept']),
});
export type PersonalDataSummary = z.infer<typeof personalDataSummary>;

const counts = z.partialRecord(personalDataKind, z.int());

/** The signed-in account's personal data: summary, export and erasure. */
export const personalDataRoutes = {
  personalData: {
    method: 'GET',
    path: '/api/personal-data',
    auth: 'session',
    summary: 'List what is kept about the account, why, for how long, and what an erasure does with it',
    data: z.object({
      data: z.array(personalDataSummary),
      /** When personal data of the account were erased last. */
      erasedAt: z.nullable(z.iso.datetime()),
      /** Who asked for it: the person, or an operator at the command line. */
      erasedBy: z.nullable(z.enum(['person', 'operator'])),
    }),
  },
  exportPersonalData: {
    method: 'POST',
    path: '/api/personal-data/export',
    auth: 'session',
    summary:
      'Export everything that is kept about the account: records of each kind, with the reason and the retention period',
    data: z.looseObject({
      exportedAt: z.iso.datetime(),
      notIncluded: z.array(z.string()),
      complete: z.literal(true),
    }),
  },
  erasePersonalData: {
    method: 'POST',
    path: '/api/personal-data/erase',
    auth: 'session',
    summary:
      'Erase the account’s personal data and end everything that depends on it; needs a fresh EIP-4361 message from its wallet whose statement asks for it',
    body: z.object({ message: z.string().max(4096), signature }),
    data: z.object({ erasedAt: z.iso.datetime(), erased: counts }),
    refusals: ['UNAUTHORIZED_OPERATION'],
  },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;
