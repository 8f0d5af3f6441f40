import { KeyRound } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { legible } from '../../ui/legible.ts';
import { Message } from '../../ui/message.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import type { ControlAnswer } from '../http.ts';

type Credential = ControlAnswer<'GET /v1/vault/credentials'>['items'][number];

const columns: readonly Column<Credential>[] = [
  {
    name: 'Credential',
    cell: ({ label, namespace }) => (
      <>
        <span className="[overflow-wrap:anywhere]">{legible(label)}</span>
        <span className="block font-normal text-muted [overflow-wrap:anywhere]">{legible(namespace)}</span>
      </>
    ),
  },
  { name: 'Rotation', cell: (credential) => <Rotation credential={credential} /> },
  {
    name: 'Type',
    wide: true,
    cell: ({ type }) => <span className="text-muted [overflow-wrap:anywhere]">{legible(type)}</span>,
  },
  { name: 'Version', figures: true, wide: true, cell: ({ version }) => version },
  { name: 'In use since', figures: true, wide: true, cell: ({ value_at }) => <Time at={value_at} /> },
];

type State = NonNullable<Credential['rotation']>['state'];

/** Rotations that have ended have no entry. */
const underWay: Readonly<Partial<Record<State, readonly [BadgeTone, string]>>> = {
  running: ['accent', 'Rotating'],
  checking: ['accent', 'Checking'],
  unresolved: ['bad', 'Confirm which is valid'],
};

/** Shows the state of the rotation to the next value. */
function Rotation({ credential: { rotation_due_at: due, rotation } }: { credential: Credential }) {
  const now = useNow();
  const [tone, told] = (rotation && underWay[rotation.state]) ?? [];
  if (told !== undefined) return <Badge {...(tone && { tone })}>{told}</Badge>;
  if (due === null) return <span className="text-muted">No date</span>;
  const isDue = Date.parse(due) <= now;
  return (
    <>
      <Badge tone={isDue ? 'warn' : 'plain'}>{isDue ? 'Due' : 'Scheduled'}</Badge>
      <span className="block text-xs text-muted">
        <Time at={due} as="relative" />
      </span>
    </>
  );
}

type Props = { readonly credentials: readonly Credential[]; readonly isDue: boolean };

/** The list, or that there is none. */
export function CredentialTable({ credentials, isDue }: Props) {
  if (credentials.length > 0)
    return (
      <Table
        caption="Service credentials, newest first"
        columns={columns}
        rows={credentials}
        keyOf={({ credential_id }) => credential_id}
      />
    );
  return isDue ? (
    <Message icon={KeyRound} title="No rotations due">
      No value is older than its rotation policy allows.
    </Message>
  ) : (
    <Message icon={KeyRound} title="No service credentials yet">
      An admin adds one with POST /v1/vault/credentials and references it in a connector.
    </Message>
  );
}
