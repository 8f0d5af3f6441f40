import { Brief } from '../../ui/brief.tsx';
import { KeySquare, SearchX } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Message } from '../../ui/message.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { typeNames } from './fields.ts';
import type { Credential } from './credential.ts';

const columns = (open: (credential: Credential) => void): readonly Column<Credential>[] => [
  {
    name: 'Service',
    cell: (credential) => (
      <>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => open(credential)}
          className="text-left after:absolute after:inset-0"
        >
          <Brief text={credential.service_id} />
        </button>
        {credential.label !== undefined && (
          <span className="block font-normal text-muted">
            <Brief text={credential.label} />
          </span>
        )}
      </>
    ),
  },
  { name: 'Type', cell: ({ credential_type }) => typeNames[credential_type] },
  {
    name: 'Fingerprint',
    wide: true,
    cell: ({ fingerprint }) => <code className="font-mono text-muted">{shortPrint(fingerprint)}</code>,
  },
  {
    name: 'Added',
    figures: true,
    wide: true,
    cell: ({ created_at }) => <Time at={created_at} as="day" />,
  },
  { name: 'Expires', figures: true, cell: ({ expires_at }) => <End at={expires_at} /> },
];

const shortPrint = (fingerprint: string): string => fingerprint.replace(/^[\w-]+:/, '').slice(0, 12);

/** Until when it may be used. */
export function End({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="text-muted">never</span>;
  return Date.parse(at) > now ? <Time at={at} as="day" /> : <Badge tone="bad">Expired</Badge>;
}

type Props = {
  readonly credentials: readonly Credential[];
  readonly filtered: boolean;
  readonly onOpen: (credential: Credential) => void;
  readonly onMake: () => void;
};

/** The list, or how to begin. */
export function CredentialTable({ credentials, filtered, onOpen, onMake }: Props) {
  if (credentials.length > 0) {
    return (
      <Table
        caption="Credentials, newest first"
        columns={columns(onOpen)}
        rows={credentials}
        keyOf={({ id }) => id}
      />
    );
  }
  if (filtered) {
    return (
      <Message icon={SearchX} title="No matching credentials">
        Choose another type or service.
      </Message>
    );
  }
  return (
    <Message
      icon={KeySquare}
      title="No credentials yet"
      action={<Button onClick={onMake}>Add your first credential</Button>}
    >
      Your agents can use the passwords and keys stored here without ever seeing them.
    </Message>
  );
}
