import { Brief } from '../../ui/brief.tsx';
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
          className="after:absolute after:inset-0"
        >
          <Brief text={task} />
        </Link>
        {agent_did !== null && (
          <span className="mt-0.5 block font-mono text-xs font-normal text-muted max-md:hidden">
            <Brief text={agent_did} />
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
      <Message icon={SearchX} title={`No ${statusNames[status].toLowerCase()} sessions`}>
        Choose another status.
      </Message>
    );
  return (
    <Message icon={AppWindow} title="No sessions yet">
      An agent opens a session with its token and names a task, credentials and the sites it may reach. You
      can watch it work here and approve what needs you.
    </Message>
  );
}
