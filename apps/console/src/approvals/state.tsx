import type { ApprovalState } from '@countersign/protocol/dashboard/approvals';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

/** The label of each state. */
export const stateNames: Readonly<Record<ApprovalState, string>> = {
  pending: 'Waiting',
  approved: 'Approved',
  used: 'Used',
  rejected: 'Rejected',
  expired: 'Expired',
};

const tones: Readonly<Record<ApprovalState, BadgeTone>> = {
  pending: 'warn',
  approved: 'ok',
  used: 'accent',
  rejected: 'plain',
  expired: 'plain',
};

export function ApprovalStateBadge({ state }: { state: ApprovalState }) {
  return <Badge tone={tones[state]}>{stateNames[state]}</Badge>;
}
