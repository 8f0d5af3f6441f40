import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { queryText } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { useSession } from '../session/session.ts';
import { buttonLook } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { useNow } from '../ui/time.tsx';
import { Filters } from './filters.tsx';
import { countFilters, filterOf } from './search.ts';
import { TransactionTable } from './table.tsx';
import { TransactionSheet } from './transaction-sheet.tsx';

const limit = 25;

/** Every payment of the account's agent, also those that were refused; narrowed, opened and downloaded. */
export function TransactionsPage() {
  const search = useSearch({ from: '/frame/transactions' });
  const { open, ...list } = search;
  const { scope, standing, page = 1 } = list;
  const everybodys = scope === 'all';
  const filter = filterOf(search, new Date(useNow()));
  const records = useQuery(ask('GET /api/transactions', { query: { ...filter, page, limit } }));
  const navigate = useNavigate({ from: '/transactions' });
  return (
    <Page
      title="Transactions"
      about={`Every payment by ${everybodys ? 'any account' : 'your agent'}, including refused ones.`}
      actions={
        <a
          href={`/api/transactions${queryText({ ...filter, format: 'csv' })}`}
          download
          className={buttonLook('plain')}
        >
          <Download aria-hidden="true" />
          Download CSV
        </a>
      }
    >
      <div className="card min-w-0">
        <Directions />
        {standing === 'claimed' && <AboutClaims />}
        {everybodys && <AboutEverybodys />}
        <Filters />
        <Loaded query={records} skeleton={<BoneRows rows={6} />}>
          {({ data, total }) => (
            <>
              <TransactionTable
                transactions={data}
                filtered={countFilters(search) > 0}
                kind={everybodys ? 'everybodys' : standing === 'claimed' ? 'claims' : 'own'}
              />
              <Pager page={page} limit={limit} total={total} />
            </>
          )}
        </Loaded>
      </div>
      {open !== undefined && (
        <TransactionSheet id={open} everybodys={everybodys} onClose={() => void navigate({ search: list })} />
      )}
    </Page>
  );
}

/** Whose payments: one's own by direction, what others claim, and for operators everybody's. Filters stay. */
function Directions() {
  const {
    scope,
    standing,
    page: _,
    open: __,
    wallet,
    ...filters
  } = useSearch({ from: '/frame/transactions' });
  const { operator } = useSession();
  return (
    <Tabs label="Direction">
      <TabLink search={filters} current={scope === undefined && standing === undefined}>
        All
      </TabLink>
      <TabLink search={{ ...filters, scope: 'myPayer' }} current={scope === 'myPayer'}>
        From you
      </TabLink>
      <TabLink search={{ ...filters, scope: 'myPayee' }} current={scope === 'myPayee'}>
        To you
      </TabLink>
      <TabLink search={{ ...filters, standing: 'claimed' }} current={standing === 'claimed'}>
        Claimed by others
      </TabLink>
      {operator && (
        <TabLink search={{ ...filters, scope: 'all', ...(wallet && { wallet }) }} current={scope === 'all'}>
          All accounts
        </TabLink>
      )}
    </Tabs>
  );
}

const AboutEverybodys = () => (
  <div className="px-5 pt-4">
    <Notice>
      Every record of every account, as reported. You see this as an operator. Each view is recorded, so this
      list does not refresh by itself.
    </Notice>
  </div>
);

const AboutClaims = () => (
  <div className="px-5 pt-4">
    <Notice>
      What others report about payments with you. Nothing else confirms these reports: they are not included
      in any total, and their screening results are not shown.
    </Notice>
  </div>
);
