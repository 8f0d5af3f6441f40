import type { SessionStatus } from '@countersign/protocol/vault/sandbox';
import { Link } from '@tanstack/react-router';
import { AppWindow, SearchX } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Message } from '../../ui/message.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type Session, statusNames } from './names.ts';
import { SessionState, SessionTimeLeft, WeakerBadge } from './state.tsx';

const columns: readonly Column<Session>[] = [
  {
    name: 'Task',
    cell: ({ id, task, agent_did }) => (
      <>
        <Link
          to="/vault/sessions/$sessionId"
          params={{ sessionId: id }}
          className="line-clamp-3 [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {task}
        </Link>
        {agent_did !== null && (
          <span className="mt-0.5 block font-mono text-xs font-normal text-muted [overflow-wrap:anywhere] max-md:hidden">
            {agent_did}
          </span>
        )}
      </>
    ),
  },
  {
    name: 'State',
    cell: (session) => (
      <span className="flex flex-wrap gap-1">
        <SessionState status={session.status} />
        <Waiting session={session} />
        <WeakerBadge isolation={session.isolation} />
      </span>
    ),
  },
  {
    name: 'Opened',
    figures: true,
    wide: true,
    cell: ({ created_at }) => <Time at={created_at} as="relative" />,
  },
  { name: 'Time left', figures: true, cell: (session) => <SessionTimeLeft session={session} /> },
];

function Waiting({ session: { pending_approvals } }: { session: Session }) {
  const waiting = pending_approvals.length;
  return waiting === 0 ? null : <Badge tone="warn">{waiting} waiting for you</Badge>;
}

type Props = { readonly sessions: readonly Session[]; readonly status: SessionStatus | undefined };

/** The list, or what would be in it. */
export function SessionTable({ sessions, status }: Props) {
  if (sessions.length > 0)
    return (
      <Table caption="Sessions, newest first" columns={columns} rows={sessions} keyOf={({ id }) => id} />
    );
  if (status !== undefined)
    return (
      <Message icon={SearchX} title={`No session is ${statusNames[status].toLowerCase()}`}>
        Choose another state.
      </Message>
    );
  return (
    <Message icon={AppWindow} title="No sessions yet">
      An agent opens one with its token: it names a task, credentials and the sites that it may reach. Here
      you watch it work, and are asked where you should be.
    </Message>
  );
}
