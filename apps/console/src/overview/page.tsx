import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { ask } from '../api/queries.ts';
import { waitingApprovals } from '../approvals/queries.ts';
import { providerStates } from '../compliance/queries.ts';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import { RenewalReminder } from '../compliance/renewal-reminder.tsx';
import { CheckTrouble } from '../compliance/trouble.tsx';
import { ExpiringKeys } from '../keys/expiring-keys.tsx';
import { Alerts } from '../mandates/alerts.tsx';
import { useHome } from '../session/session.ts';
import { MandateState } from '../mandates/state.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Bone, BoneRows } from '../ui/skeleton.tsx';
import { ActiveMandate } from './active-mandate.tsx';
import { LatestTransactions } from './latest-transactions.tsx';
import { ProviderHealth } from './provider-health.tsx';
import { Spending } from './spending.tsx';
import { WaitingApprovals } from './waiting-approvals.tsx';
import { WaitingElsewhere } from './waiting-elsewhere.tsx';

const whole = ask('GET /api/overview', {});
const latest = ask('GET /api/transactions', { query: { scope: 'myAll', limit: 6 } });

const more = 'text-sm font-medium text-accent-ink hover:underline underline-offset-4';

/**
 * Shows the agent's remaining budget, what waits for the owner, the spending, and whether the checks work.
 */
export function OverviewPage() {
  const home = useHome();
  return home === '/' ? <Overview /> : <Navigate to={home} replace />;
}

function Overview() {
  const overview = useQuery(whole);
  const approvals = useQuery(waitingApprovals);
  const active = overview.data?.activeMandate;
  return (
    <Page title="Overview">
      <CheckTrouble>
        <Link to="/compliance" className="font-medium underline underline-offset-4">
          View checks
        </Link>
      </CheckTrouble>
      <RenewalReminder />
      <FirstSteps />
      <Alerts />
      <ExpiringKeys />
      <div className="grid gap-6 lg:grid-cols-[3fr_2fr]">
        <Section title="Active mandate" actions={active && <MandateState mandate={active} />}>
          <Loaded query={overview} skeleton={<Bone className="m-5 w-1/3" />}>
            {({ activeMandate }) => <ActiveMandate mandate={activeMandate} />}
          </Loaded>
        </Section>
        <Section title="Waiting for you">
          <Loaded query={approvals} skeleton={<Bone className="m-5 w-1/2" />}>
            {(list) => <WaitingApprovals {...list} />}
          </Loaded>
          <WaitingElsewhere />
        </Section>
      </div>
      <Section title="Spending">
        <Loaded query={overview} skeleton={<BoneRows rows={3} />}>
          {(known) => <Spending {...known} />}
        </Loaded>
      </Section>
      <Latest />
      <Health />
    </Page>
  );
}

function Latest() {
  const transactions = useQuery(latest);
  const all = (
    <Link to="/transactions" className={more}>
      View all
    </Link>
  );
  return (
    <Section title="Latest transactions" actions={all}>
      <Loaded query={transactions} skeleton={<BoneRows />}>
        {({ data }) => <LatestTransactions transactions={data} />}
      </Loaded>
    </Section>
  );
}

function Health() {
  const states = useQuery(providerStates);
  return (
    <Section title="Checks">
      <Loaded query={states} skeleton={<Bone className="m-5 w-1/2" />}>
        {(known) => <ProviderHealth {...known} />}
      </Loaded>
    </Section>
  );
}
