import { useSearch } from '@tanstack/react-router';
import { useMay, useSession } from '../session/session.ts';
import { Businesses } from '../business/businesses.tsx';
import { OwnBusiness } from '../business/own-business.tsx';
import { Payees } from '../payees/payees.tsx';
import { UnknownPayees } from '../payees/unknown-payees.tsx';
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
  const reviews = useMay('listKycReviews');
  return (
    <Page
      title="Compliance"
      about="Both parties are checked before every payment: who they are, and what is known about their wallets."
    >
      {operator && (
        <Tabs label="Views">
          <TabLink search={{}}>Your status</TabLink>
          {reviews && <TabLink search={{ view: 'reviews' }}>Review queue</TabLink>}
          {reviews && (
            <TabLink search={{ view: 'businesses' }} current={view === 'businesses'}>
              Businesses
            </TabLink>
          )}
          <TabLink search={{ view: 'payees' }} current={view === 'payees'}>
            Payees
          </TabLink>
          <TabLink search={{ view: 'unknown-payees' }} current={view === 'unknown-payees'}>
            Unknown payees
          </TabLink>
          <TabLink search={{ view: 'withdrawals' }} current={view === 'withdrawals'}>
            Withdrawn
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
          <OwnBusiness />
          <Screen />
          <Providers />
        </>
      )}
      {view === 'reviews' && <Reviews />}
      {view === 'businesses' && <Businesses />}
      {view === 'payees' && <Payees />}
      {view === 'unknown-payees' && <UnknownPayees />}
      {view === 'withdrawals' && <Withdrawals />}
      {view === 'deny-list' && <DenyList />}
      {view === 'history' && <ComplianceHistory />}
    </Page>
  );
}
