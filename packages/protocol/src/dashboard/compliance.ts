import { z } from 'zod';
import { addressText } from '../address.ts';

export const kycStatus = z.enum(['pending', 'approved', 'rejected']);
export type KycStatus = z.infer<typeof kycStatus>;

export const kytDecision = z.enum(['pass', 'reject']);
export type KytDecision = z.infer<typeof kytDecision>;

/** Words of a KYT answer. The transaction log counts the same four levels as integers: see `riskLevelNumber`. */
export const riskLevel = z.enum(['low', 'medium', 'high', 'severe']);
export type RiskLevel = z.infer<typeof riskLevel>;

const levels = riskLevel.options;

/** 0 low, 1 moderate (a KYT answer says `medium`), 2 high, 3 severe (document 2, TransactionLog). */
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

const chainAliases: ReadonlyArray<readonly [caip2: string, ...aliases: string[]]> = [
  ['eip155:1', 'ETH', 'ethereum', '1'],
  ['eip155:8453', 'base', '8453'],
  ['eip155:84532', 'base-sepolia', '84532'],
  ['eip155:137', 'polygon', '137'],
  ['eip155:42161', 'arbitrum', '42161'],
  ['eip155:10', 'optimism', '10'],
];

/** CAIP-2 id of a chain that KYT knows by name, number or CAIP-2 form; null for any other. */
export function knownChain(text: string): string | null {
  return chainAliases.find((names) => names.includes(text))?.[0] ?? null;
}
