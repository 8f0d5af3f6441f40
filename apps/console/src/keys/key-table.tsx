import { Brief } from '../ui/brief.tsx';
import { KeyRound } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { ApiKey } from './life.ts';
import { OfAgent } from './of-agent.tsx';
import { reachText } from './reach.ts';
import { KeyState } from './state.tsx';

const columns = (open: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  {
    name: 'Key',
    cell: (key) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => open(key)}
          className="text-left after:absolute after:inset-0"
        >
          <Brief text={key.name} />
        </button>
        <KeyState apiKey={key} />
      </span>
    ),
  },
  {
    name: 'Begins with',
    wide: true,
    cell: ({ prefix }) => <code className="font-mono text-muted">{prefix}…</code>,
  },
  { name: 'May do', wide: true, cell: (key) => reachText(key) },
  {
    name: 'For',
    wide: true,
    cell: ({ agentWallet, scopes }) => <OfAgent wallet={agentWallet} scopes={scopes} />,
  },
  { name: 'Made', figures: true, wide: true, cell: ({ createdAt }) => <Time at={createdAt} as="day" /> },
  { name: 'Last used', figures: true, cell: (key) => <LastUse apiKey={key} /> },
];

/** To the minute: the dashboard notes a use at most once a minute. */
export function LastUse({ apiKey: { lastUsedAt } }: { apiKey: ApiKey }) {
  return lastUsedAt === null ? (
    <span className="text-muted">never</span>
  ) : (
    <Time at={lastUsedAt} as="relative" />
  );
}

type Props = {
  readonly keys: readonly ApiKey[];
  readonly onOpen: (key: ApiKey) => void;
  readonly onMake: () => void;
};

/** The list, or how to begin. */
export function KeyTable({ keys, onOpen, onMake }: Props) {
  if (keys.length > 0) {
    return (
      <Table caption="API keys, newest first" columns={columns(onOpen)} rows={keys} keyOf={({ id }) => id} />
    );
  }
  return (
    <Message
      icon={KeyRound}
      title="No API keys yet"
      action={<Button onClick={onMake}>Create your first key</Button>}
    >
      Without a key, your gateway cannot read your mandate and pays nothing.
    </Message>
  );
}
