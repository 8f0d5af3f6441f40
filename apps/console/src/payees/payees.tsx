import type { Payee } from '@countersign/protocol/dashboard/payees';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../api/queries.ts';
import { Brief } from '../ui/brief.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Section } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { ImportPayees } from './import-payees.tsx';
import { AdmitPayee } from './payee-form.tsx';
import { PayeeSheet } from './payee-sheet.tsx';
import { nameOf } from './record-facts.tsx';
import { PayeeState } from './state.tsx';

const limit = 20;

const columnsFor = (open: (id: string) => void): readonly Column<Payee>[] => [
  {
    name: 'Name',
    cell: ({ id, legalName }) => (
      <button type="button" onClick={() => open(id)} className="text-left after:absolute after:inset-0">
        <Brief text={nameOf({ legalName })} />
      </button>
    ),
  },
  { name: 'State', cell: (payee) => <PayeeState payee={payee} /> },
  { name: 'Domain', wide: true, cell: ({ domain }) => <Brief text={domain} /> },
  { name: 'Addresses', figures: true, wide: true, cell: ({ addresses }) => addresses.length },
  {
    name: 'Valid until',
    figures: true,
    wide: true,
    cell: ({ validUntil }) => <Time at={validUntil} as="day" />,
  },
];

/** Businesses that operators have admitted as payees. */
export function Payees() {
  const { state, payee, page = 1 } = useSearch({ from: '/frame/compliance' });
  const navigate = useNavigate();
  const list = useQuery(ask('POST /api/payees/list', { body: { ...(state && { state }), page, limit } }));
  const [doing, setDoing] = useState<'admit' | 'import' | null>(null);
  const here = { view: 'payees', ...(state && { state }), ...(page > 1 && { page }) } as const;
  const open = (id: string) => void navigate({ to: '/compliance', search: { ...here, payee: id } });
  const close = () => void navigate({ to: '/compliance', search: here });
  const actions = (
    <>
      <Button onClick={() => setDoing('import')}>Import</Button>
      <Button kind="primary" onClick={() => setDoing('admit')}>
        Admit a payee
      </Button>
    </>
  );
  return (
    <Section title="Payees" actions={actions}>
      <Tabs label="State">
        <TabLink search={{ view: 'payees' }} current={state === undefined}>
          All
        </TabLink>
        <TabLink search={{ view: 'payees', state: 'waiting' }}>Waiting</TabLink>
        <TabLink search={{ view: 'payees', state: 'admitted' }}>Admitted</TabLink>
        <TabLink search={{ view: 'payees', state: 'expired' }}>Expired</TabLink>
        <TabLink search={{ view: 'payees', state: 'withdrawn' }}>Withdrawn</TabLink>
      </Tabs>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={Store} title="No payees here">
                Admit a business, and payments to its addresses pass the identity check.
              </Message>
            ) : (
              <Table
                caption="Payees, newest first"
                columns={columnsFor(open)}
                rows={data}
                keyOf={({ id }) => id}
              />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {doing === 'admit' && <AdmitPayee onClose={() => setDoing(null)} />}
      {doing === 'import' && <ImportPayees onClose={() => setDoing(null)} />}
      {payee !== undefined && <PayeeSheet key={payee} id={payee} onClose={close} />}
    </Section>
  );
}
