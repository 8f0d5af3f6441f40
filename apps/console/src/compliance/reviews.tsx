import type { KycStatus, OperatorReview } from '@countersign/protocol/dashboard/compliance';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { UserCheck } from 'lucide-react';
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
import { countryName, personName } from './names.ts';
import { ReviewSheet } from './review-sheet.tsx';
import { ReviewState } from './state.tsx';

const limit = 20;

const columnsFor = (open: (review: OperatorReview) => void): readonly Column<OperatorReview>[] => [
  {
    name: 'Name',
    cell: (review) => (
      <button type="button" onClick={() => open(review)} className="text-left after:absolute after:inset-0">
        <Brief text={personName(review)} />
      </button>
    ),
  },
  { name: 'State', cell: (review) => <ReviewState review={review} /> },
  { name: 'Country', wide: true, cell: ({ country }) => (country === null ? '–' : countryName(country)) },
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

/** The identities that owners submitted, for operators to decide. */
export function Reviews() {
  const { decided, page = 1 } = useSearch({ from: '/frame/compliance' });
  const kycStatus: KycStatus = decided ?? 'pending';
  const list = useQuery({
    ...ask('POST /api/kyc/reviews/list', { body: { kycStatus, page, limit } }),
    // No event tells operators what others submit.
    refetchInterval: 4000,
  });
  const [open, setOpen] = useState<OperatorReview | null>(null);
  return (
    <div className="card min-w-0">
      <Tabs label="State">
        <TabLink search={{ view: 'reviews' }}>Waiting</TabLink>
        <TabLink search={{ view: 'reviews', decided: 'approved' }}>Verified</TabLink>
        <TabLink search={{ view: 'reviews', decided: 'rejected' }}>Rejected</TabLink>
      </Tabs>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={UserCheck} title={emptyTitles[kycStatus]}>
                Identities that owners submit appear here.
              </Message>
            ) : (
              <Table
                caption="Identities, newest first"
                columns={columnsFor(setOpen)}
                rows={data}
                keyOf={({ id }) => id}
              />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {open !== null && <ReviewSheet review={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

const emptyTitles: Readonly<Record<KycStatus, string>> = {
  pending: 'No identities to review',
  approved: 'No verified identities',
  rejected: 'No rejected identities',
};
