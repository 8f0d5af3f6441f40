import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { Alerts } from './alerts.tsx';
import { NewMandate } from './new-mandate.tsx';
import { MandateTable } from './mandate-table.tsx';
import { mandateStates } from './search.ts';
import { stateNames } from './state.tsx';

const limit = 20;

/** Every mandate of the account, by state. */
export function MandatesPage() {
  const { status, page = 1 } = useSearch({ from: '/frame/mandates' });
  const [drafting, setDrafting] = useState(false);
  const list = useQuery(
    ask('POST /api/mandates/intent/list', { body: { ...(status && { status }), page, limit } }),
  );
  const draft = () => setDrafting(true);
  return (
    <Page
      title="Mandates"
      about="A mandate is what you allow your agent to spend. You sign it; your wallet and each agent have one active mandate at a time."
      actions={
        <Button kind="primary" onClick={draft}>
          <Plus aria-hidden="true" />
          New mandate
        </Button>
      }
    >
      <Alerts />
      <div className="card min-w-0">
        <Tabs label="State">
          <TabLink search={{}}>All</TabLink>
          {mandateStates.map((state) => (
            <TabLink key={state} search={{ status: state }}>
              {stateNames[state]}
            </TabLink>
          ))}
        </Tabs>
        <Loaded query={list} skeleton={<BoneRows />}>
          {({ data, total }) => (
            <>
              <MandateTable mandates={data} {...(status && { status })} onDraft={draft} />
              <Pager page={page} limit={limit} total={total} />
            </>
          )}
        </Loaded>
      </div>
      {drafting && <NewMandate onClose={() => setDrafting(false)} />}
    </Page>
  );
}
