import { Verbatim } from '../ui/verbatim.tsx';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus, ShieldBan } from 'lucide-react';
import { useState } from 'react';
import type { AnswerOf } from '../api/endpoint.ts';
import { ask } from '../api/queries.ts';
import { Address, shortAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Section } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useSession } from '../session/session.ts';
import { DenyAddress, LiftDenial } from './deny-address.tsx';
import { FirstWordBadge, TakeBack } from './first-word.tsx';

type Entry = AnswerOf<'POST /api/compliance/deny-list/list'>['data'][number];

const limit = 20;

const columnsFor = (lift: (entry: Entry) => void): readonly Column<Entry>[] => [
  {
    name: 'Address',
    cell: ({ address, firstWord }) => (
      <>
        <Address value={address} />
        {firstWord !== null && <FirstWordBadge />}
      </>
    ),
  },
  {
    name: 'Reason',
    wide: true,
    cell: ({ reason }) => (
      <span className="[overflow-wrap:anywhere]">
        <Verbatim text={reason} />
      </span>
    ),
  },
  { name: 'By', wide: true, cell: ({ addedBy }) => <Address value={addedBy} name="operator" /> },
  { name: 'Since', figures: true, wide: true, cell: ({ createdAt }) => <Time at={createdAt} as="day" /> },
  {
    name: 'Action',
    figures: true,
    cell: (entry) => <Lift entry={entry} onLift={() => lift(entry)} />,
  },
];

/** Nobody decides about oneself; whoever wants it off the list already may only take that back. */
function Lift({ entry: { address, firstWord }, onLift }: { entry: Entry; onLift: () => void }) {
  const { account } = useSession();
  if (address === account.walletAddress) return <span className="text-muted">Yours</span>;
  if (firstWord?.by === account.walletAddress) return <TakeBack deed="undeny" subject={address} />;
  return (
    <Button kind="quiet" aria-label={`Remove ${shortAddress(address)}`} onClick={onLift}>
      Remove
    </Button>
  );
}

/** Addresses that the operators deny, on top of every provider. */
export function DenyList() {
  const { page = 1 } = useSearch({ from: '/frame/compliance' });
  const list = useQuery(ask('POST /api/compliance/deny-list/list', { body: { page, limit } }));
  const [adding, setAdding] = useState(false);
  const [lifting, setLifting] = useState<Entry | null>(null);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" />
      Deny an address
    </Button>
  );
  return (
    <Section title="Denied addresses" actions={add}>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={ShieldBan} title="No denied addresses">
                Payments to or from a denied address are refused, whatever the providers report.
              </Message>
            ) : (
              <Table
                caption="Denied addresses, newest first"
                columns={columnsFor(setLifting)}
                rows={data}
                keyOf={({ address }) => address}
              />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {adding && <DenyAddress onClose={() => setAdding(false)} />}
      {lifting !== null && <LiftDenial entry={lifting} onClose={() => setLifting(null)} />}
    </Section>
  );
}
