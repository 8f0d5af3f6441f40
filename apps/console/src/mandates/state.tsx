import type { Mandate, MandateStatus } from '@countersign/protocol/dashboard/mandate';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

/** The label of each state. */
export const stateNames: Readonly<Record<MandateStatus, string>> = {
  pending: 'Needs signature',
  active: 'Active',
  exhausted: 'Used up',
  expired: 'Expired',
  revoked: 'Revoked',
};

const tones: Readonly<Record<MandateStatus, BadgeTone>> = {
  pending: 'warn',
  active: 'ok',
  exhausted: 'plain',
  expired: 'plain',
  revoked: 'plain',
};

/** The state in one word. A paused mandate is active, but nothing is paid from it. */
export function MandateState({ mandate: { status, policy } }: { mandate: Mandate }) {
  if (status === 'active' && policy.paused) return <Badge tone="warn">Paused</Badge>;
  return <Badge tone={tones[status]}>{stateNames[status]}</Badge>;
}
