import type { Business, BusinessState as State } from '@countersign/protocol/dashboard/business';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
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
import { BusinessSheet } from './business-sheet.tsx';
import { BusinessState } from './facts.tsx';

const limit = 20;

const columnsFor = (open: (id: string) => void): readonly Column<Business>[] => [
  {
    name: 'Name',
    cell: ({ id, facts }) => (
      <button type="button" onClick={() => open(id)} className="text-left after:absolute after:inset-0">
        <Brief text={facts?.legalName ?? 'Deleted'} />
      </button>
    ),
  },
  { name: 'State', cell: (business) => <BusinessState business={business} /> },
  { name: 'Domain', wide: true, cell: ({ facts }) => <Brief text={facts?.domain ?? '–'} /> },
  {
    name: 'Wallet',
    wide: true,
    cell: ({ walletAddress }) => (
      <span className="relative z-1">
        <Address value={walletAddress} name="wallet" />
      </span>
    ),
  },
  { name: 'Submitted', figures: true, cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
];

/** Businesses that submitted themselves, for operators to decide. */
export function Businesses() {
  const { business: state = 'waiting', submission, page = 1 } = useSearch({ from: '/frame/compliance' });
  const list = useQuery({
    ...ask('POST /api/business/submissions/list', { body: { state: state satisfies State, page, limit } }),
    // No event tells operators what others submit.
    refetchInterval: 4000,
  });
  const [open, setOpen] = useState<string | null>(null);
  const business = list.data?.data.find(({ id }) => id === open);
  return (
    <div className="card min-w-0">
      <Tabs label="State">
        <TabLink search={{ view: 'businesses' }}>Waiting</TabLink>
        <TabLink search={{ view: 'businesses', business: 'admitted' }}>Admitted</TabLink>
        <TabLink search={{ view: 'businesses', business: 'rejected' }}>Rejected</TabLink>
      </Tabs>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={Store} title="No businesses here">
                Businesses that submit themselves appear here.
              </Message>
            ) : (
              <Table
                caption={state === 'waiting' ? 'Businesses, oldest first' : 'Businesses, newest first'}
                columns={columnsFor(setOpen)}
                rows={data}
                keyOf={({ id }) => id}
              />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {business !== undefined && <BusinessSheet business={business} onClose={() => setOpen(null)} />}
      {business === undefined && submission !== undefined && <Linked id={submission} />}
    </div>
  );
}

/** The submission that a record links to. */
function Linked({ id }: { readonly id: string }) {
  const navigate = useNavigate();
  const found = useQuery(ask('GET /api/business/submissions/:id', { params: { id } }));
  if (found.data === undefined) return null;
  const close = () => void navigate({ to: '/compliance', search: { view: 'businesses' } });
  return <BusinessSheet business={found.data.business} onClose={close} />;
}
