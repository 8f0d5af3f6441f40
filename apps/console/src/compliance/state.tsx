import type { KycStatus, OperatorReview, RiskLevel } from '@countersign/protocol/dashboard/compliance';
import { Badge } from '../ui/badge.tsx';
import { useNow } from '../ui/time.tsx';
import { FirstWordBadge } from './first-word.tsx';

const kycLooks = {
  pending: { tone: 'warn', name: 'Waiting' },
  approved: { tone: 'ok', name: 'Verified' },
  rejected: { tone: 'bad', name: 'Rejected' },
} as const;

/** The state of a submission. */
function KycState({ status }: { status: KycStatus }) {
  const { tone, name } = kycLooks[status];
  return <Badge tone={tone}>{name}</Badge>;
}

/** The same, with what the status alone does not tell: an erasure, a withdrawal, an end, one word of two. */
export function ReviewState({ review }: { review: OperatorReview }) {
  const { kycStatus, withdrawnAt, validUntil, firstWord, personalData } = review;
  const now = useNow();
  if (personalData === 'erased') return <Badge>Erased</Badge>;
  if (withdrawnAt !== null) return <Badge tone="bad">Withdrawn</Badge>;
  if (validUntil !== null && Date.parse(validUntil) <= now) return <Badge tone="warn">Expired</Badge>;
  if (kycStatus === 'pending' && firstWord !== null) return <FirstWordBadge />;
  return <KycState status={kycStatus} />;
}

const riskLooks = {
  low: { tone: 'ok', name: 'Low risk' },
  medium: { tone: 'warn', name: 'Medium risk' },
  high: { tone: 'bad', name: 'High risk' },
  severe: { tone: 'bad', name: 'Severe risk' },
} as const;

const riskLevels = ['low', 'medium', 'high', 'severe'] as const satisfies readonly RiskLevel[];

/** The level that the transaction log counts as 0 to 3; nothing for another number. */
export function RiskNumber({ number }: { number: number }) {
  const level = riskLevels[number];
  return level === undefined ? null : <Risk level={level} />;
}

/** Shows the stated risk of an address. */
export function Risk({ level }: { level: RiskLevel }) {
  const { tone, name } = riskLooks[level];
  return <Badge tone={tone}>{name}</Badge>;
}

const providerLooks = {
  up: { tone: 'ok', name: 'Responding' },
  stale: { tone: 'bad', name: 'List out of date' },
  down: { tone: 'bad', name: 'Not responding' },
} as const;

export function ProviderState({ state }: { state: keyof typeof providerLooks }) {
  const { tone, name } = providerLooks[state];
  return <Badge tone={tone}>{name}</Badge>;
}
