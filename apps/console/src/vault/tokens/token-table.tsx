import { Brief } from '../../ui/brief.tsx';
import { Ticket } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Message } from '../../ui/message.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ScopeBadges, type Token, TokenState } from './state.tsx';

const columns = (open: (token: Token) => void): readonly Column<Token>[] => [
  {
    name: 'Token',
    cell: (token) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => open(token)}
          className="text-left after:absolute after:inset-0"
        >
          <Brief text={token.name} />
        </button>
        <TokenState token={token} />
      </span>
    ),
  },
  { name: 'Scopes', wide: true, cell: ({ scopes }) => <ScopeBadges scopes={scopes} /> },
  { name: 'Created', figures: true, wide: true, cell: ({ created_at }) => <Time at={created_at} as="day" /> },
  {
    name: 'Expires',
    figures: true,
    cell: ({ revoked_at, expires_at }) =>
      revoked_at === null ? <Time at={expires_at} as="relative" /> : '–',
  },
];

type Props = {
  readonly tokens: readonly Token[];
  readonly onOpen: (token: Token) => void;
  readonly onMake: () => void;
};

/** The list, or how to begin. */
export function TokenTable({ tokens, onOpen, onMake }: Props) {
  if (tokens.length > 0) {
    return (
      <Table caption="Tokens, newest first" columns={columns(onOpen)} rows={tokens} keyOf={({ id }) => id} />
    );
  }
  return (
    <Message
      icon={Ticket}
      title="No tokens yet"
      action={<Button onClick={onMake}>Create your first token</Button>}
    >
      An agent needs a token to use a credential. Give it the fewest scopes and the shortest lifetime that
      work.
    </Message>
  );
}
