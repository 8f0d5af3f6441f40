import type { PayeeReview } from '@countersign/protocol/dashboard/payees';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../api/queries.ts';
import { Address } from '../ui/address.tsx';
import { Brief } from '../ui/brief.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { UnknownPayeeSheet } from './unknown-payee-sheet.tsx';

const limit = 20;

const columnsFor = (open: (review: PayeeReview) => void): readonly Column<PayeeReview>[] => [
  {
    name: 'Service',
    cell: (review) => (
      <button type="button" onClick={() => open(review)} className="text-left after:absolute after:inset-0">
        <Brief text={review.serviceName} />
      </button>
    ),
  },
  {
    name: 'Payee',
    cell: ({ payee }) => (
      <span className="relative z-1">
        <Address value={payee} name="payee" />
      </span>
    ),
  },
  { name: 'Host', wide: true, cell: ({ host }) => (host === null ? '–' : <Brief text={host} />) },
  { name: 'Refusals', figures: true, wide: true, cell: ({ refusals }) => refusals },
  { name: 'Last', figures: true, wide: true, cell: ({ lastAt }) => <Time at={lastAt} as="relative" /> },
];

/** Payees that payments were refused for because nobody knows them, for operators to decide. */
export function UnknownPayees() {
  const { turned, page = 1 } = useSearch({ from: '/frame/compliance' });
  const state = turned === 'away' ? 'turned-away' : 'pending';
  const list = useQuery({
    ...ask('POST /api/payees/reviews/list', { body: { state, page, limit } }),
    // No event tells operators what others wanted to pay.
    refetchInterval: 4000,
  });
  const [open, setOpen] = useState<PayeeReview | null>(null);
  return (
    <div className="card min-w-0">
      <Tabs label="State">
        <TabLink search={{ view: 'unknown-payees' }}>Waiting</TabLink>
        <TabLink search={{ view: 'unknown-payees', turned: 'away' }}>Turned away</TabLink>
      </Tabs>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={Store} title={turned === 'away' ? 'No payees turned away' : 'No unknown payees'}>
                Payees that agents could not pay because no one has verified them appear here.
              </Message>
            ) : (
              <Table
                caption="Unknown payees, newest first"
                columns={columnsFor(setOpen)}
                rows={data}
                keyOf={({ payee }) => payee}
              />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {open !== null && <UnknownPayeeSheet review={open} onClose={() => setOpen(null)} />}
    </div>
  );
}
