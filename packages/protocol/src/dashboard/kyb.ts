import { z } from 'zod';
import { countries } from './countries.ts';
import { kycStatus } from './compliance.ts';
import { registryNumber } from './registry-number.ts';

const time = z.iso.datetime();

/**
 * A request to have a provider check a business. The registry number is taken from the record or submission.
 */
export const newBusinessCheck = z.object({
  country: z
    .string()
    .refine((code) => countries.has(code), 'must be an ISO 3166-1 alpha-2 country code such as DE'),
  registrationNumber: registryNumber,
});

/**
 * A provider's finding about a business: evidence. Only `no` has an effect: the record is not paid until an
 * operator lifts it.
 */
export const businessCheck = z.object({
  id: z.string(),
  provider: z.string(),
  status: kycStatus,
  /** The provider's own name of its file; null until it has confirmed that it has one. */
  providerFile: z.nullable(z.string()),
  /** The version of the record that was checked; null for a submission that is no record yet. */
  version: z.nullable(z.int()),
  startedAt: time,
  /** When the provider was asked for the answer that stands; null: it has given none. */
  checkedAt: z.nullable(time),
  /** Since when it says no; null where it does not. */
  rejectedAt: z.nullable(time),
  /** When operators decided in sight of that no. */
  liftedAt: z.nullable(time),
  /** Until when a check that is open is asked about without being told to; null where it is not open. */
  openUntil: z.nullable(time),
  /** Number of that no, another for each; null where it says none. */
  rejection: z.nullable(z.int()),
});

/** The numbers of the noes that whoever decides has read: the decision lifts those, and no other. Absent, it lifts none. */
export const seenRejections = z.array(z.int()).max(1000).optional();
export type BusinessCheck = z.infer<typeof businessCheck>;
