import { z } from 'zod';
import { legibleName, notBlank } from '../legible-name.ts';
import { addressText } from '../address.ts';
import { knownChain } from './chains.ts';
import { countries } from './countries.ts';

export const kycStatus = z.enum(['pending', 'approved', 'rejected']);
export type KycStatus = z.infer<typeof kycStatus>;

export const kytDecision = z.enum(['pass', 'reject']);
export type KytDecision = z.infer<typeof kytDecision>;

/** Words of a KYT answer. The transaction log counts the same four levels as integers: see `riskLevelNumber`. */
export const riskLevel = z.enum(['low', 'medium', 'high', 'severe']);
export type RiskLevel = z.infer<typeof riskLevel>;

const levels = riskLevel.options;

/** 0 low, 1 moderate (a KYT answer says `medium`), 2 high, 3 severe (spec: dashboard.transactions). */
export const riskLevelNumber = (level: RiskLevel): number => levels.indexOf(level);

/** The inverse of `riskLevelNumber`; null for a number that is no level. */
export const riskLevelOf = (number: number): RiskLevel | null => levels[number] ?? null;

export const kycAnswer = z.object({ walletAddress: addressText, kycCompleted: z.boolean(), kycStatus });
export type KycAnswer = z.infer<typeof kycAnswer>;

export const kytAnswer = z.object({
  address: addressText,
  chain: z.string(),
  decision: kytDecision,
  riskLevel,
  riskScore: z.number(),
});
export type KytAnswer = z.infer<typeof kytAnswer>;

/** Name of a chain as KYT takes it: any text that `knownChain` knows. It is echoed, not normalised. */
export const kytChain = z
  .string()
  .min(1)
  .max(20)
  .refine(
    (text) => knownChain(text) !== null,
    'must be a chain that screening covers, such as ETH, base or eip155:8453',
  );

const time = z.iso.datetime();

/** Those that were handed in before there was a rule for what they may hold are shown too. */
const fullName = z.string().min(1).max(200);
const documentNumber = z.string().min(1).max(64);

/** An owner's KYC submission; a person reviews it. */
export const kycSubmission = z.object({
  fullName: legibleName(fullName),
  country: z
    .string()
    .refine((code) => countries.has(code), 'must be an ISO 3166-1 alpha-2 country code such as DE'),
  documentType: z.enum(['passport', 'id_card', 'driving_licence']),
  documentNumber: legibleName(documentNumber),
});

export type KycSubmission = z.infer<typeof kycSubmission>;

const { country, documentType } = kycSubmission.shape;

/** A submission, and what was decided about it. The fields that tell who it is are null once they are not kept. */
export const kycReview = z.object({
  fullName: z.nullable(fullName),
  country: z.nullable(country),
  documentType: z.nullable(documentType),
  documentNumber: z.nullable(documentNumber),
  /**
   * `erased`: as the person or an operator wished, or when its time was over. `unreadable`: sealed under another key.
   * `withheld`: kept, but shown to the wallet's holder and to operators alone.
   */
  personalData: z.enum(['kept', 'erased', 'unreadable', 'withheld']),
  id: z.string(),
  accountId: z.string(),
  walletAddress: addressText,
  /** The decision. An approval is valid until `validUntil`. */
  kycStatus,
  /** Always set for a rejection or withdrawal, until it is erased. */
  reason: z.nullable(z.string()),
  createdAt: time,
  decidedAt: z.nullable(time),
  /** Null for what is not approved. */
  validUntil: z.nullable(time),
  /** When the approval was withdrawn; `kycStatus` is `rejected` then. */
  withdrawnAt: z.nullable(time),
});
export type KycReview = z.infer<typeof kycReview>;

/** The decision of the first of two operators. It has no effect yet. */
export const firstWord = z.object({ by: addressText, reason: z.nullable(z.string()), at: time });
export type FirstWord = z.infer<typeof firstWord>;

/** A submission as an operator sees it. */
export const operatorReview = kycReview.extend({
  /** Who has approved it, where a second operator has to. */
  firstWord: z.nullable(firstWord),
});
export type OperatorReview = z.infer<typeof operatorReview>;

/** Why something was decided: goes on record, and to the person it is about. */
export const reason = notBlank(z.string().min(1).max(500));

/** KYT for the eyes of people: `source` is the list or vendor that decided, `listDate` when its list was published. */
export const screening = kytAnswer.extend({
  source: z.string(),
  listDate: z.nullable(time),
  at: time,
});

/** `down`: the last question went unanswered, or there is no list. `stale`: the list is too old to count. */
const providerState = z.object({ provider: z.string(), state: z.enum(['up', 'down', 'stale']) });
export const providerStates = z.object({
  kyc: providerState,
  /** Who checks businesses; null: nobody but operators. */
  kyb: z.nullable(providerState),
  kyt: z.array(providerState.extend({ listDate: z.nullable(time) })),
});

export const denyListEntry = z.object({
  address: addressText,
  reason: z.string(),
  /** Wallet of the operator. */
  addedBy: addressText,
  createdAt: time,
  /** Who wants it off the list, where a second operator has to. */
  firstWord: z.nullable(firstWord),
});
