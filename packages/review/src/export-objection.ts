import type { RuleFinding } from '@countersign/protocol/vault/review';
import type { ReviewFacts } from './facts.ts';

type Found = Pick<RuleFinding, 'rule' | 'verdict'>;

/** An export cannot wait for a person. Where the owner's task names one, reading much is what it is for. Null where nothing is against it. */
export function exportObjection<Finding extends Found>(
  { session }: Pick<ReviewFacts, 'session'>,
  rules: readonly Finding[],
): Finding | null {
  const isNamed = session.task.some((kind) => kind === 'bulk_export' || kind === 'mass_reading');
  const isMeant = ({ rule, verdict }: Found) => isNamed && readsMuch.has(rule) && verdict === 'ask';
  return rules.find((finding) => finding.verdict !== 'allow' && !isMeant(finding)) ?? null;
}

const readsMuch = new Set(['intent.mass_reading', 'sensitive.mass_reading']);
