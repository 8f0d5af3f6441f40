import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { askAgainIn } from '../../api/polling.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { OutOfDate } from '../../ui/out-of-date.tsx';
import { Pager } from '../../ui/pager.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { TabLink, Tabs } from '../../ui/tabs.tsx';
import { askVault } from '../call.ts';
import { VaultPage } from '../vault-page.tsx';
import { statusNames } from './names.ts';
import { askAgainMs } from './polling.ts';
import { SessionTable } from './table.tsx';

const limit = 25;

/** Browsers that agents work in, with credentials that they never see. */
export function SessionsPage() {
  return (
    <VaultPage
      title="Sessions"
      about="Browsers in which your agents work with your credentials. Agents see neither secrets nor decoys; only the site receives the secret."
    >
      <Listed />
    </VaultPage>
  );
}

function Listed() {
  const { status, page = 1 } = useSearch({ from: '/frame/vault/sessions' });
  const query = { ...(status !== undefined && { status }), limit, offset: (page - 1) * limit };
  const list = useQuery({
    ...askVault('GET /api/v1/sandbox/sessions', { query }),
    // Nothing tells the list of a new session by itself.
    refetchInterval: ({ state }) => askAgainIn(askAgainMs, state),
  });
  return (
    <div className="card min-w-0">
      <Tabs label="State">
        <TabLink search={{}} current={status === undefined}>
          All
        </TabLink>
        {Object.entries(statusNames).map(([name, says]) => (
          <TabLink key={name} search={{ status: name }} current={status === name}>
            {says}
          </TabLink>
        ))}
      </Tabs>
      <OutOfDate query={list} />
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
            <SessionTable sessions={items} status={status} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
    </div>
  );
}
