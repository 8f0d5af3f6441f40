import { Brief } from '../../ui/brief.tsx';
import { ListChecks } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Message } from '../../ui/message.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type Batch, BatchState, Used } from './state.tsx';

const columns = (open: (batch: Batch) => void): readonly Column<Batch>[] => [
  {
    name: 'Action',
    cell: (batch) => (
      <>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => open(batch)}
          className="text-left after:absolute after:inset-0"
        >
          <Brief text={batch.action} />
        </button>
        <span className="block font-normal text-muted">
          <Brief text={batch.service} />
        </span>
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <BatchState state={state} /> },
  {
    name: 'For',
    wide: true,
    cell: ({ user_id }) => (
      <span className="text-muted">
        <Brief text={user_id ?? 'Anyone'} />
      </span>
    ),
  },
  {
    name: 'By',
    wide: true,
    cell: ({ created_by }) => (
      <span className="text-muted">
        <Brief text={created_by} />
      </span>
    ),
  },
  {
    name: 'Expires',
    figures: true,
    wide: true,
    cell: ({ state, expires_at }) => (state === 'revoked' ? '–' : <Time at={expires_at} as="relative" />),
  },
  { name: 'Used', figures: true, cell: (batch) => <Used batch={batch} /> },
];

type Props = {
  readonly batches: readonly Batch[];
  readonly onOpen: (batch: Batch) => void;
  readonly onMake: () => void;
};

/** The list, or how to begin. */
export function BatchTable({ batches, onOpen, onMake }: Props) {
  if (batches.length > 0)
    return (
      <Table
        caption="Batch approvals, newest first"
        columns={columns(onOpen)}
        rows={batches}
        keyOf={({ batch_id }) => batch_id}
      />
    );
  return (
    <Message
      icon={ListChecks}
      title="No batch approvals yet"
      action={<Button onClick={onMake}>Create your first approval</Button>}
    >
      Approve a repeated action once: up to a number of times, until a set time, and only where a condition
      holds.
    </Message>
  );
}
