import { Brief } from '../ui/brief.tsx';
import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { Link } from '@tanstack/react-router';
import { History as Past } from 'lucide-react';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { whyAsked } from './rule.ts';
import type { PastState } from './search.ts';
import { ApprovalStateBadge, stateNames } from './state.tsx';

const columns: readonly Column<Approval>[] = [
  {
    name: 'Tool',
    cell: ({ approvalId, toolName, serviceId }) => (
      <>
        <Link to="/approvals/$approvalId" params={{ approvalId }} className="after:absolute after:inset-0">
          <Brief text={toolName} />
        </Link>
        <span className="block font-normal text-muted">
          <Brief text={serviceId} />
        </span>
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <ApprovalStateBadge state={state} /> },
  {
    name: 'Why you were asked',
    wide: true,
    cell: (approval) => <span className="text-muted [overflow-wrap:anywhere]">{whyAsked(approval)}</span>,
  },
  {
    name: 'When',
    figures: true,
    wide: true,
    cell: ({ decidedAt, expiresAt }) => <Time at={decidedAt ?? expiresAt} />,
  },
  {
    name: 'Amount',
    figures: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];

type Props = { readonly approvals: readonly Approval[]; readonly state: PastState };

/** Earlier payments and their results. */
export function History({ approvals, state }: Props) {
  if (approvals.length === 0) {
    return (
      <Message icon={Past} title={`No approvals with status “${stateNames[state]}”`}>
        Every payment request you received stays in one of these lists.
      </Message>
    );
  }
  return (
    <Table
      caption={`Approvals with status ${stateNames[state]}, newest first`}
      columns={columns}
      rows={approvals}
      keyOf={({ approvalId }) => approvalId}
    />
  );
}
