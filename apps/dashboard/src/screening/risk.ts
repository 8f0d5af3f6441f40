import type { KytDecision, RiskLevel } from '@countersign/protocol/dashboard/compliance';
import { riskLevelNumber } from '@countersign/protocol/dashboard/compliance';
import type { Risk, Unavailable } from './ports.ts';

/** A name on a list of sanctions, whoever keeps the list. */
export const sanctioned: Risk = { riskLevel: 'severe', riskScore: 100, attribution: 'known' };

/** Not on the list. A list knows sanctions and nothing else. */
export const notListed: Risk = { riskLevel: 'low', riskScore: 0, attribution: 'none' };

/** Chainalysis and TRM Labs use these four words; TRM Labs has a number beside each. */
export const vendorLevel = { Low: 'low', Medium: 'medium', High: 'high', Severe: 'severe' } as const;
export type VendorLevel = keyof typeof vendorLevel;

const chainalysisScores: Record<RiskLevel, number> = { low: 10, medium: 40, high: 70, severe: 100 };
const trmScores: Record<RiskLevel, number> = { low: 1, medium: 5, high: 10, severe: 15 };
const trmMaximum = 15;

/** Chainalysis gives a word and no number: the numbers are ours. */
export const chainalysisRisk = (word: VendorLevel, attribution: Risk['attribution']): Risk => {
  const riskLevel = vendorLevel[word];
  return { riskLevel, riskScore: chainalysisScores[riskLevel], attribution };
};

/** TRM Labs counts 1, 5, 10, 15; without any word it knows nothing of the address. */
export function trmRisk(words: readonly VendorLevel[]): Risk {
  const levels = words.map((word) => vendorLevel[word]);
  const riskLevel = levels.reduce<RiskLevel | null>((a, b) => (a === null ? b : higher(a, b)), null);
  if (riskLevel === null) return notListed;
  return {
    riskLevel,
    riskScore: Math.round((trmScores[riskLevel] / trmMaximum) * 100),
    attribution: 'known',
  };
}

/** Elliptic scores 0 to 10, or null when no rule spoke. Where a sanctions rule did, the number does not matter. */
export function ellipticRisk(
  score: number | null,
  bySanctions: boolean,
  attribution: Risk['attribution'],
): Risk {
  if (bySanctions) return sanctioned;
  const riskLevel = ellipticBands.find(([below]) => (score ?? 0) < below)?.[1] ?? 'severe';
  return { riskLevel, riskScore: (score ?? 0) * 10, attribution };
}

const ellipticBands = [
  [3, 'low'],
  [6, 'medium'],
  [9, 'high'],
] as const;

const higher = (a: RiskLevel, b: RiskLevel): RiskLevel => (riskLevelNumber(a) >= riskLevelNumber(b) ? a : b);

/** An operator's settings for all screenings. */
export type ScreeningPolicy = {
  /** The lowest level that is rejected. */
  readonly rejectAt: RiskLevel;
  /** Whose answers are needed for a pass, where several are asked. */
  readonly require: 'all' | 'any';
};

export const decide = ({ riskLevel }: Risk, { rejectAt }: ScreeningPolicy): KytDecision =>
  riskLevelNumber(riskLevel) >= riskLevelNumber(rejectAt) ? 'reject' : 'pass';

/**
 * One answer out of those of several providers: any reject wins, over an absent answer too. A pass needs an answer
 * of all of them, or of any, as the policy says. Of equals the first counts.
 */
export function combine<S extends Risk & { readonly kind: 'screened' }>(
  answers: readonly (S | Unavailable)[],
  policy: ScreeningPolicy,
): S | Unavailable {
  const screened = answers.filter((answer): answer is S => answer.kind === 'screened');
  const worst = screened.reduce<S | null>((a, b) => (a === null || isWorse(b, a) ? b : a), null);
  if (worst !== null && decide(worst, policy) === 'reject') return worst;
  const missing = answers.find((answer): answer is Unavailable => answer.kind === 'unavailable');
  if (worst === null) return missing ?? nobodyAsked;
  return policy.require === 'all' && missing !== undefined ? missing : worst;
}

const isWorse = (a: Risk, b: Risk): boolean => {
  const [levelOfA, levelOfB] = [riskLevelNumber(a.riskLevel), riskLevelNumber(b.riskLevel)];
  return levelOfA === levelOfB ? a.riskScore > b.riskScore : levelOfA > levelOfB;
};

const nobodyAsked: Unavailable = {
  kind: 'unavailable',
  why: 'unreachable',
  detail: 'nobody was asked',
  raw: null,
};
