import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../api/queries.ts';
import { activeMandates } from '../mandates/queries.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Bone, BoneRows } from '../ui/skeleton.tsx';
import { ActiveMandate } from './active-mandate.tsx';
import { LatestTransactions } from './latest-transactions.tsx';
import { WaitingApprovals } from './waiting-approvals.tsx';

const latest = ask('GET /api/transactions', { query: { scope: 'myAll', limit: 6 } });
const waiting = ask('POST /api/approvals/list', { body: { state: 'pending', limit: 5 } });

const more = 'text-sm font-medium text-accent-ink hover:underline underline-offset-4';

/** What the agent may spend, what waits for the owner, what happened last. */
export function OverviewPage() {
  const mandate = useQuery(activeMandates);
  const approvals = useQuery(waiting);
  const transactions = useQuery(latest);
  return (
    <Page title="Overview">
      <div className="grid gap-6 lg:grid-cols-[3fr_2fr]">
        <Section title="Active mandate">
          <Loaded query={mandate} skeleton={<Bone className="m-5 w-1/3" />}>
            {({ data }) => <ActiveMandate mandate={data[0] ?? null} />}
          </Loaded>
        </Section>
        <Section title="Waiting for you">
          <Loaded query={approvals} skeleton={<Bone className="m-5 w-1/2" />}>
            {(list) => <WaitingApprovals {...list} />}
          </Loaded>
        </Section>
      </div>
      <Section
        title="Latest transactions"
        actions={
          <Link to="/transactions" className={more}>
            See all
          </Link>
        }
      >
        <Loaded query={transactions} skeleton={<BoneRows />}>
          {({ data }) => <LatestTransactions transactions={data} />}
        </Loaded>
      </Section>
    </Page>
  );
}
