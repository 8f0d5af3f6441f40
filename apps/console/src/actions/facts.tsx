import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Fact, Facts } from '../ui/facts.tsx';
import { legible } from '../ui/legible.ts';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { askControl } from './call.ts';
import type { Execution } from './names.ts';

type Props = { readonly execution: Execution; readonly children?: ReactNode };

/** Who asks for it, and by which rules a person is asked. */
export function ActionFacts({ execution, children }: Props) {
  const { policy_id, policy_version, determining, created_by, created_at, approval } = execution;
  return (
    <Facts>
      <Fact name="Requested by">
        <Verbatim text={created_by} />{' '}
        <span className="text-muted">
          <Time at={created_at} as="relative" />
        </span>
      </Fact>
      {approval !== null && <WhyAsked execution={execution} />}
      <Fact name="Policy">
        <span className="font-mono text-xs">
          <Verbatim text={policy_id} />
        </span>{' '}
        <span className="whitespace-nowrap text-muted">version {policy_version}</span>
        {determining.length > 0 && (
          <>
            <span className="text-muted">, rule </span>
            <code className="font-mono text-xs [overflow-wrap:anywhere]">
              {legible(determining.join(', '))}
            </code>
          </>
        )}
      </Fact>
      {approval !== null && (
        <Fact name="Approvers">
          <span className="[overflow-wrap:anywhere]">{legible(approversText(approval.approvers))}</span>
        </Fact>
      )}
      {children}
    </Facts>
  );
}

/** The condition of the policy under which a person is asked; a version of a policy never changes. */
function WhyAsked({ execution: { policy_id, policy_version } }: { execution: Execution }) {
  const asked = askControl('GET /v1/policies/:policy_id', {
    params: { policy_id },
    query: { version: policy_version },
  });
  const policy = useQuery({ ...asked, refetchInterval: false, staleTime: Infinity });
  const when = policy.data?.hitl?.when;
  return (
    when !== undefined && (
      <Fact name="Approval required when">
        <code className="font-mono text-xs [overflow-wrap:anywhere]">{legible(when)}</code>
      </Fact>
    )
  );
}

const approversText = (approvers: readonly string[]): string =>
  approvers.includes('*') ? 'Any approver' : approvers.join(', ');
