import { useQuery } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import { useDeed } from '../api/deed.ts';
import { useMay } from '../session/session.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Brief } from '../ui/brief.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { type Invitation, invitations } from './queries.ts';
import { namesOf } from './roles.ts';

const states: Readonly<Record<Invitation['state'], readonly [BadgeTone, string]>> = {
  open: ['warn', 'Open'],
  used: ['ok', 'Used'],
  revoked: ['bad', 'Revoked'],
  expired: ['plain', 'Expired'],
};

const columns: readonly Column<Invitation>[] = [
  {
    name: 'For',
    cell: ({ name, state }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Brief text={name} />
        <Badge tone={states[state][0]}>{states[state][1]}</Badge>
      </span>
    ),
  },
  { name: 'Roles', cell: ({ roles, personId }) => (personId === null ? namesOf(roles) : 'New sign-in') },
  { name: 'By', wide: true, cell: ({ invitedBy }) => <Brief text={invitedBy.name} /> },
  {
    name: 'Expires',
    figures: true,
    wide: true,
    cell: ({ expiresAt }) => <Time at={expiresAt} as="relative" />,
  },
  { name: 'Action', cell: (invitation) => <Revoke invitation={invitation} /> },
];

/** Whoever revoked the wrong one invites again: no question before it. */
function Revoke({ invitation: { id, state, name } }: { invitation: Invitation }) {
  const may = useMay('revokeInvitation');
  const { busy, problem, run } = useDeed('DELETE /api/people/invitations/:id', '/api/people');
  if (!may || state !== 'open') return null;
  const revoke = async () => {
    if ((await run({ params: { id } })) !== null) showToast({ tone: 'ok', text: 'Invitation revoked.' });
  };
  return (
    <>
      <Button
        kind="danger"
        busy={busy}
        aria-label={`Revoke invitation for ${name}`}
        onClick={() => void revoke()}
      >
        Revoke
      </Button>
      {problem !== null && <p role="alert">{problem}</p>}
    </>
  );
}

/** The newest invitations and their states. */
export function InvitationTable() {
  const list = useQuery(invitations);
  return (
    <Loaded query={list} skeleton={<BoneRows rows={2} />}>
      {({ data }) =>
        data.length === 0 ? (
          <Message icon={MailOpen} title="No invitations yet">
            An invitation is a link that works once, for 72 hours.
          </Message>
        ) : (
          <Table caption="Invitations, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}
