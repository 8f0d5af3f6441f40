import { Brief } from '../ui/brief.tsx';
import { Link } from '@tanstack/react-router';
import { History as Past } from 'lucide-react';
import { Message } from '../ui/message.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { Execution } from './names.ts';
import { StatusBadge } from './state.tsx';

const columns: readonly Column<Execution>[] = [
  {
    name: 'Action',
    cell: ({ execution_id: executionId, action, service }) => (
      <>
        <Link to="/actions/$executionId" params={{ executionId }} className="after:absolute after:inset-0">
          <Brief text={action} />
        </Link>
        <span className="block font-normal text-muted">
          <Brief text={service} />
        </span>
      </>
    ),
  },
  { name: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'For',
    wide: true,
    cell: ({ user_id }) => (
      <span className="text-muted">
        <Brief text={user_id} />
      </span>
    ),
  },
  {
    name: 'Decided by',
    wide: true,
    cell: ({ approval }) => (
      <span className="text-muted">
        <Brief text={approval?.decisions.map(({ approver }) => approver).join(', ') || '–'} />
      </span>
    ),
  },
  {
    name: 'When',
    figures: true,
    wide: true,
    cell: ({ ended_at, created_at }) => <Time at={ended_at ?? created_at} />,
  },
];

/** The results of all requested actions. */
export function History({ executions }: { executions: readonly Execution[] }) {
  if (executions.length === 0)
    return (
      <Message icon={Past} title="No actions yet">
        Agents request actions with their own key and a policy. Each result stays here with its receipt.
      </Message>
    );
  return (
    <Table
      caption="Actions, newest first"
      columns={columns}
      rows={executions}
      keyOf={({ execution_id }) => execution_id}
    />
  );
}
