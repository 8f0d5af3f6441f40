import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { ask } from '../api/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Brief } from '../ui/brief.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { deedName } from './deeds.ts';
import type { Change } from './queries.ts';

const limit = 20;

const columns: readonly Column<Change>[] = [
  {
    name: 'Change',
    cell: ({ deed, outcome, at }) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {deedName(deed)}
          {outcome === null && <Badge tone="warn">Unknown</Badge>}
          {outcome !== null && outcome !== 'done' && <Badge tone="bad">Refused</Badge>}
        </span>
        <span className="mt-1 block font-normal text-muted md:hidden">
          <Time at={at} />
        </span>
      </>
    ),
  },
  { name: 'By', cell: ({ by }) => <Brief text={by.name} /> },
  {
    name: 'About',
    wide: true,
    cell: ({ subject }) =>
      subject === null ? null : (
        <code className="font-mono text-sm text-muted [overflow-wrap:anywhere]">{subject}</code>
      ),
  },
  { name: 'When', figures: true, wide: true, cell: ({ at }) => <Time at={at} /> },
];

/** Who changed what, or tried to. */
export function Changes() {
  const { page = 1 } = useSearch({ from: '/frame/people' });
  const list = useQuery(ask('GET /api/people/changes', { query: { page, limit } }));
  return (
    <Loaded query={list} skeleton={<BoneRows />}>
      {({ data, total }) =>
        total === 0 ? (
          <Message icon={History} title="No changes yet">
            Changes by anybody in this account are recorded here.
          </Message>
        ) : (
          <>
            <Table caption="Changes, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )
      }
    </Loaded>
  );
}
