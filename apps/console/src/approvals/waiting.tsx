import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { WholeAddress } from '../ui/address.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { type Answer, Decide } from './decide.tsx';
import { whyAsked } from './rule.ts';
import { ApprovalTimeLeft } from './time-left.tsx';

type Props = {
  readonly approvals: readonly Approval[];
  readonly onAnswer: (answer: Answer) => void;
};

/** Payments that wait for the owner's answer, or that none does. */
export function Waiting({ approvals, onAnswer }: Props) {
  if (approvals.length === 0) {
    return (
      <Message icon={Inbox} title="Nothing is waiting for you">
        When your agent wants to pay more than your mandate allows, the payment appears here automatically.
      </Message>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {approvals.map((approval) => (
        <li key={approval.approvalId}>
          <WaitingPayment approval={approval} alone={approvals.length === 1} onAnswer={onAnswer} />
        </li>
      ))}
    </ul>
  );
}

type OneProps = Pick<Props, 'onAnswer'> & { readonly approval: Approval; readonly alone: boolean };

function WaitingPayment({ approval, alone, onAnswer }: OneProps) {
  const { approvalId, toolName, serviceId, amount, currency, expiresAt, payTo } = approval;
  const titleId = useId();
  return (
    <article aria-labelledby={titleId} className="px-5 py-5">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 sm:flex-nowrap">
        <div className="min-w-0">
          <h2 id={titleId} className="text-lg">
            <Link
              to="/approvals/$approvalId"
              params={{ approvalId }}
              className="underline-offset-4 hover:underline"
            >
              <Verbatim text={toolName} />
            </Link>
          </h2>
          <p className="text-sm text-muted">
            of the service <Verbatim text={serviceId} />
          </p>
        </div>
        <div className="max-w-full shrink-0 text-right sm:max-w-3/5">
          <p className="text-lg font-medium">
            <Money amount={amount} currency={currency} />
          </p>
          <p className="text-sm">
            <ApprovalTimeLeft until={expiresAt} />
          </p>
        </div>
      </header>
      <footer className="mt-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <Detail name="Why you are asked">{whyAsked(approval)}</Detail>
          <Detail name="Paid to">
            <WholeAddress value={payTo} name="payee" />
          </Detail>
        </dl>
        <div className="ml-auto flex gap-2">
          <Decide approval={approval} alone={alone} onAnswer={onAnswer} />
        </div>
      </footer>
    </article>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 sm:min-w-52">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="flex min-h-8 items-center text-sm [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
