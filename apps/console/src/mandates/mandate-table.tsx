import { Brief } from '../ui/brief.tsx';
import type { Mandate, MandateStatus } from '@countersign/protocol/dashboard/mandate';
import { Link } from '@tanstack/react-router';
import { Signature } from 'lucide-react';
import { BudgetBar } from '../ui/budget-bar.tsx';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { BriefPayer } from './payer.tsx';
import { MandateState, stateNames } from './state.tsx';

const columns: readonly Column<Mandate>[] = [
  {
    name: 'Mandate',
    cell: (mandate) => (
      <span className="flex flex-wrap items-center gap-2">
        <Link
          to="/mandates/$mandateId"
          params={{ mandateId: mandate.id }}
          className="after:absolute after:inset-0"
        >
          <Brief text={mandate.title} />
        </Link>
        <MandateState mandate={mandate} />
      </span>
    ),
  },
  { name: 'For', wide: true, cell: (mandate) => <BriefPayer mandate={mandate} /> },
  {
    name: 'Budget used',
    wide: true,
    cell: (mandate) => (
      <div className="w-24">
        <BudgetBar {...mandate} />
      </div>
    ),
  },
  {
    name: 'Left',
    figures: true,
    wide: true,
    // What an ended mandate has left, nobody can spend.
    cell: ({ status, remainingBudget }) =>
      status === 'active' ? <Money amount={remainingBudget} /> : <span className="text-muted">–</span>,
  },
  { name: 'Budget', figures: true, cell: ({ totalBudget }) => <Money amount={totalBudget} /> },
  { name: 'Per payment', figures: true, wide: true, cell: ({ perTxLimit }) => <Money amount={perTxLimit} /> },
  { name: 'Expires', figures: true, wide: true, cell: ({ expiresAt }) => <Time at={expiresAt} as="day" /> },
];

type Props = {
  readonly mandates: readonly Mandate[];
  readonly status?: MandateStatus;
  readonly onDraft: () => void;
};

/** The list, or why it is empty. */
export function MandateTable({ mandates, status, onDraft }: Props) {
  if (mandates.length > 0) {
    return (
      <Table caption="Mandates, newest first" columns={columns} rows={mandates} keyOf={({ id }) => id} />
    );
  }
  if (status !== undefined) {
    return (
      <Message icon={Signature} title={`No mandates with status “${stateNames[status]}”`}>
        Choose “All” to see your other mandates.
      </Message>
    );
  }
  return (
    <Message
      icon={Signature}
      title="No mandates yet"
      action={<Button onClick={onDraft}>Create your first mandate</Button>}
    >
      Your agent cannot pay for anything until you sign one.
    </Message>
  );
}
