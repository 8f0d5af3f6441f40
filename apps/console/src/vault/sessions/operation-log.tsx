import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { useState } from 'react';
import { Loaded } from '../../ui/loaded.tsx';
import { Message } from '../../ui/message.tsx';
import { Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { askVault } from '../call.ts';
import { objections } from './findings.tsx';
import { type Operation, operationNames, type Session } from './names.ts';
import { OperationSheet } from './operation-sheet.tsx';
import { Outcome } from './state.tsx';
import { Written } from './written.tsx';

const limit = 25;

/** What the agent did, newest first, and what was said to it. */
export function OperationLog({ session }: { session: Session }) {
  const { page = 1 } = useSearch({ from: '/frame/vault/sessions/$sessionId' });
  const query = { limit, offset: (page - 1) * limit };
  const params = { id: session.id };
  const log = useQuery(askVault('GET /api/v1/sandbox/sessions/:id/operations', { params, query }));
  const [opened, open] = useState<Operation | null>(null);
  return (
    <Section title="What was done">
      <Loaded query={log} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
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

type Props = {
  readonly operations: readonly Operation[];
  readonly onOpen: (operation: Operation) => void;
};

function Operations({ operations, onOpen }: Props) {
  if (operations.length === 0)
    return (
      <Message icon={ListTree} title="Nothing was done yet">
        Each step of your agent is listed here, with what the review says of it.
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
          className="text-left [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {operationNames[operation.operation_type]}{' '}
          {operation.selector !== null && (
            <span className="font-mono text-xs font-normal">{operation.selector}</span>
          )}
        </button>
        {operation.value !== null && (
          <code className="mt-0.5 line-clamp-1 font-mono text-xs font-normal text-muted [overflow-wrap:anywhere]">
            <Written text={operation.value} />
          </code>
        )}
      </>
    ),
  },
  {
    name: 'Review',
    wide: true,
    cell: ({ review }) => (
      <span className="text-muted">
        {review === null ? 'none' : (objections(review.rules)[0]?.rule ?? 'no objection')}
      </span>
    ),
  },
  { name: 'Outcome', cell: ({ status }) => <Outcome status={status} /> },
  { name: 'When', figures: true, wide: true, cell: ({ at }) => <Time at={at} as="relative" /> },
];
