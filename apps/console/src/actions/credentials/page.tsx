import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { TabLink, Tabs } from '../../ui/tabs.tsx';
import { askControl } from '../call.ts';
import { ControlPage } from '../control-page.tsx';
import { CredentialTable } from './table.tsx';

const limit = 20;

/** Lists the credentials of connectors: the value in use, its age, and when the next one is due. */
export function ServiceCredentialsPage() {
  return (
    <ControlPage
      title="Service credentials"
      about="The credentials your connectors use. An admin replaces each value, or has the service rotate it, before it is due."
    >
      <Listed />
    </ControlPage>
  );
}

function Listed() {
  const { view, page = 1 } = useSearch({ from: '/frame/actions/credentials' });
  const due = view === 'due' ? ({ rotation: 'due' } as const) : {};
  const query = { ...due, limit, offset: (page - 1) * limit };
  const list = useQuery(askControl('GET /v1/vault/credentials', { query }));
  return (
    <div className="card min-w-0">
      <Tabs label="View">
        <TabLink search={{}}>All</TabLink>
        <TabLink search={{ view: 'due' }}>Due</TabLink>
      </Tabs>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
            <CredentialTable credentials={items} isDue={view === 'due'} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
    </div>
  );
}
