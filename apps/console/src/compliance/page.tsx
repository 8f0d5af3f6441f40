import { useSearch } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { Page } from '../ui/page.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { DenyList } from './deny-list.tsx';
import { ComplianceHistory } from './history.tsx';
import { Identity } from './identity.tsx';
import { Providers } from './providers.tsx';
import { Reviews } from './reviews.tsx';
import { Screen } from './screen.tsx';
import { CheckTrouble } from './trouble.tsx';
import { Withdrawals } from './withdrawals.tsx';

/** The owner's own identity, what is known about other wallets, and, for operators, what they decide. */
export function CompliancePage() {
  const { view } = useSearch({ from: '/frame/compliance' });
  const { operator } = useSession();
  return (
    <Page
      title="Compliance"
      about="Before every payment both parties are checked: who they are, and what is known of their wallets."
    >
      {operator && (
        <Tabs label="Views">
          <TabLink search={{}}>Yours</TabLink>
          <TabLink search={{ view: 'reviews' }}>Review queue</TabLink>
          <TabLink search={{ view: 'withdrawals' }} current={view === 'withdrawals'}>
            Withdrawals
          </TabLink>
          <TabLink search={{ view: 'deny-list' }}>Deny list</TabLink>
          <TabLink search={{ view: 'history' }} current={view === 'history'}>
            History
          </TabLink>
        </Tabs>
      )}
      {view === undefined && (
        <>
          <CheckTrouble />
          <Identity />
          <Screen />
          <Providers />
        </>
      )}
      {view === 'reviews' && <Reviews />}
      {view === 'withdrawals' && <Withdrawals />}
      {view === 'deny-list' && <DenyList />}
      {view === 'history' && <ComplianceHistory />}
    </Page>
  );
}
