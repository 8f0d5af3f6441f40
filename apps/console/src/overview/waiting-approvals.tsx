import { Verbatim } from '../ui/verbatim.tsx';
import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { Link } from '@tanstack/react-router';
import { Money } from '../ui/money.tsx';
import { Time } from '../ui/time.tsx';

type Props = { readonly data: readonly Approval[]; readonly total: number };

/** Payments that the agent may not make without the owner. */
export function WaitingApprovals({ data, total }: Props) {
  if (total === 0) {
    return (
      <p className="px-5 py-3.5 text-sm text-pretty text-muted">
        No payments are waiting for you. Payments above your limits appear here.
      </p>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {data.map((approval) => (
        <li key={approval.approvalId} className="relative px-5 py-3.5 text-sm hover:bg-sunken">
          <div className="flex justify-between gap-4">
            <Link
              to="/approvals"
              className="font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
            >
              <Verbatim text={approval.toolName} />
            </Link>
            <Money amount={approval.amount} currency={approval.currency} />
          </div>
          <p className="flex justify-between gap-4 text-muted">
            <span className="[overflow-wrap:anywhere]">
              <Verbatim text={approval.serviceId} />
            </span>
            <span>
              expires <Time at={approval.expiresAt} as="relative" />
            </span>
          </p>
        </li>
      ))}
      {total > data.length && (
        <li className="px-5 py-3 text-sm text-muted">and {total - data.length} more</li>
      )}
    </ul>
  );
}
