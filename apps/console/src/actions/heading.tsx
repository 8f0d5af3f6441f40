import type { ReactNode } from 'react';
import { Verbatim } from '../ui/verbatim.tsx';
import type { Execution } from './names.ts';
import { ApprovalTimeLeft, Quorum, RiskBadge } from './state.tsx';

type Props = {
  readonly execution: Execution;
  /** The action's name. */
  readonly children: ReactNode;
};

/** Request, where and for whom; while it waits, how long still, and for how many. */
export function ActionHeading({ execution, children }: Props) {
  const { status, risk_tier } = execution;
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 sm:flex-nowrap">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          {children}
          {risk_tier !== null && <RiskBadge tier={risk_tier} />}
        </div>
        <p className="text-sm text-muted">
          <WhereAndForWhom execution={execution} />
        </p>
      </div>
      {status === 'pending_hitl' && (
        <div className="flex shrink-0 flex-wrap gap-x-4 text-sm sm:grid sm:justify-items-end sm:gap-1">
          <ApprovalTimeLeft execution={execution} />
          <Quorum execution={execution} />
        </div>
      )}
    </header>
  );
}

export const WhereAndForWhom = ({ execution }: { execution: Execution }) => (
  <>
    at <Verbatim text={execution.service} />, for <Verbatim text={execution.user_id} />
  </>
);
