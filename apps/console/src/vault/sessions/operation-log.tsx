import { Brief } from '../../ui/brief.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { useMemo, useState } from 'react';
import { askUntilOver } from '../../api/polling.ts';
import { legible } from '../../ui/legible.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Message } from '../../ui/message.tsx';
import { OutOfDate } from '../../ui/out-of-date.tsx';
import { Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Actor } from '../actor.tsx';
import { askVault } from '../call.ts';
import { leftSays } from '../left.tsx';
import { objections } from './findings.tsx';
import { type Operation, operationNames, type Session } from './names.ts';
import { OperationSheet } from './operation-sheet.tsx';
import { askAgainMs } from './polling.ts';
import { isOpen, Outcome } from './state.tsx';
import { Written } from './written.tsx';

const limit = 25;

/** Lists what was done and what left, newest first, with actor and decision. */
export function OperationLog({ session }: { session: Session }) {
  const { page = 1, actor } = useSearch({ from: '/frame/vault/sessions/$sessionId' });
  const query = { ...(actor !== undefined && { actor }), limit, offset: (page - 1) * limit };
  const params = { id: session.id };
  const isOver = !isOpen(session);
  const overSince = useMemo(() => (isOver ? Date.now() : null), [isOver]);
  const log = useQuery({
    ...askVault('GET /api/v1/sandbox/sessions/:id/operations', { params, query }),
    // What was watched live is on record only once it has ended, which no event tells.
    refetchInterval: ({ state }) => askUntilOver(askAgainMs, overSince, state),
  });
  const [opened, open] = useState<Operation | null>(null);
  return (
    <Section title="Operation log">
      <OutOfDate query={log} />
      <Loaded query={log} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
            {actor !== undefined && <OnlyOf actor={actor} />}
            <Operations operations={items} onOpen={open} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {opened !== null && (
        <OperationSheet operation={opened} sessionId={session.id} onClose={() => open(null)} />
      )}
    </Section>
  );
}

function OnlyOf({ actor }: { actor: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-3 text-sm">
      <p className="min-w-0 text-muted [overflow-wrap:anywhere]">
        Only operations by <span className="font-mono text-xs text-ink">{legible(actor)}</span>
      </p>
      <Link
        to="."
        search={{}}
        resetScroll={false}
        className="min-h-6 font-medium text-accent-ink underline-offset-4 hover:underline"
      >
        Show all
      </Link>
    </div>
  );
}

type Props = {
  readonly operations: readonly Operation[];
  readonly onOpen: (operation: Operation) => void;
};

function Operations({ operations, onOpen }: Props) {
  if (operations.length === 0)
    return (
      <Message icon={ListTree} title="No operations yet">
        Each step your agent takes is listed here with its review, along with everything that leaves the
        session.
      </Message>
    );
  return (
    <Table
      caption="Operations, newest first"
      columns={columns(onOpen)}
      rows={operations}
      keyOf={({ operation_id }) => operation_id}
    />
  );
}

const columns = (open: Props['onOpen']): readonly Column<Operation>[] => [
  {
    name: 'What',
    cell: (operation) => (
      <>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => open(operation)}
          className="text-left after:absolute after:inset-0"
        >
          {operationNames[operation.operation_type]}{' '}
          {operation.selector !== null && (
            <span className="font-mono text-xs font-normal">
              <Brief text={operation.selector} />
            </span>
          )}
        </button>
        {operation.left !== null && (
          <span className="mt-0.5 block text-xs font-normal text-muted">{leftSays(operation.left)} left</span>
        )}
        {operation.value !== null && (
          <code className="mt-0.5 line-clamp-1 font-mono text-xs font-normal text-muted [overflow-wrap:anywhere]">
            <Written text={operation.value} />
          </code>
        )}
      </>
    ),
  },
  {
    name: 'Who',
    wide: true,
    cell: ({ actor, agent_did }) =>
      actor === null ? <span className="text-muted">–</span> : <Actor actor={actor} agent={agent_did} />,
  },
  {
    name: 'Review',
    wide: true,
    cell: ({ review }) => (
      <span className="text-muted">
        {review === null ? '–' : (objections(review.rules)[0]?.rule ?? 'no objections')}
      </span>
    ),
  },
  { name: 'Outcome', cell: ({ status }) => <Outcome status={status} /> },
  { name: 'When', figures: true, wide: true, cell: ({ at }) => <Time at={at} as="relative" /> },
];
