import { providerName } from '../sign-in/provider.ts';
import { Badge } from '../ui/badge.tsx';
import { Brief } from '../ui/brief.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { Person } from './queries.ts';
import { namesOf } from './roles.ts';

const columns = (open: (person: Person) => void): readonly Column<Person>[] => [
  {
    name: 'Person',
    cell: (person) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => open(person)}
          className="text-left after:absolute after:inset-0"
        >
          <Brief text={person.name} />
        </button>
        {person.holder && <Badge tone="accent">Wallet</Badge>}
      </span>
    ),
  },
  { name: 'Roles', cell: ({ roles }) => namesOf(roles) },
  { name: 'Signs in with', wide: true, cell: (person) => waysOf(person) },
  { name: 'Since', figures: true, wide: true, cell: ({ createdAt }) => <Time at={createdAt} as="day" /> },
];

/** Describes how somebody signs in. */
export function waysOf({ holder, passkeys, userName, issuer }: Person): string {
  if (holder) return 'the wallet';
  if (issuer !== null) return providerName() ?? 'a provider';
  const passkey = passkeys > 0 ? ['a passkey'] : [];
  const password = userName === null ? [] : ['a password'];
  return [...passkey, ...password].join(' or ') || 'nothing so far';
}

type Props = { readonly people: readonly Person[]; readonly onOpen: (person: Person) => void };

/** Everybody of the account. Never empty: the wallet's holder is there. */
export const PersonTable = ({ people, onOpen }: Props) => (
  <Table caption="People of this account" columns={columns(onOpen)} rows={people} keyOf={({ id }) => id} />
);
