import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { legible } from '../ui/legible.ts';
import { TimeLeft } from '../ui/time-left.tsx';
import { approvalsOf, type Execution, statusNames, statusTones } from './names.ts';

export function StatusBadge({ status }: Pick<Execution, 'status'>) {
  return <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>;
}

const outdates = ['/v1/executions'] as const;

/** Counts down to the time after which nobody is waited for. */
export const ApprovalTimeLeft = ({ execution: { approval } }: { execution: Execution }) =>
  approval === null ? null : <TimeLeft until={approval.expires_at} outdates={outdates} />;

/** Shows how many of the required approvals have been given. */
export function Quorum({ execution }: { execution: Pick<Execution, 'approval'> }) {
  if (execution.approval === null) return null;
  const { quorum } = execution.approval;
  return (
    <span className="figures text-muted">
      {approvalsOf(execution)} of {quorum} {quorum === 1 ? 'approval' : 'approvals'}
    </span>
  );
}

const riskTones: Readonly<Record<string, BadgeTone>> = { medium: 'warn', high: 'bad', critical: 'bad' };

/** Shows the risk tier that the policy assigned. */
export const RiskBadge = ({ tier }: { tier: string }) => (
  <Badge tone={riskTones[tier] ?? 'plain'}>{legible(tier)} risk</Badge>
);
