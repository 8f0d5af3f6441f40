import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { Changes } from './changes.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { Invite } from './invite.tsx';
import { PersonSheet } from './person-sheet.tsx';
import { PersonTable } from './person-table.tsx';
import { type Person, people } from './queries.ts';
import { ShutOutTable } from './shut-out-table.tsx';

/** Who acts for this account, who is invited, and who did what. */
export function PeoplePage() {
  const { view } = useSearch({ from: '/frame/people' });
  const [inviting, setInviting] = useState(false);
  const mayInvite = useMay('invitePerson');
  return (
    <Page
      title="People"
      about="People sign in to this account without its wallet, each with a role. Mandates and approvals still need the wallet’s signature."
      actions={
        mayInvite && (
          <Button kind="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            Invite somebody
          </Button>
        )
      }
    >
      <div className="card min-w-0">
        <Tabs label="Views">
          <TabLink search={{}}>People</TabLink>
          <TabLink search={{ view: 'invitations' }}>Invitations</TabLink>
          <TabLink search={{ view: 'changes' }} current={view === 'changes'}>
            Changes
          </TabLink>
        </Tabs>
        {view === undefined && <List />}
        {view === 'invitations' && <InvitationTable />}
        {view === 'changes' && <Changes />}
      </div>
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  );
}

function List() {
  const list = useQuery(people);
  const [opened, open] = useState<Person | null>(null);
  return (
    <>
      <Loaded query={list} skeleton={<BoneRows rows={2} />}>
        {({ data }) => <PersonTable people={data} onOpen={open} />}
      </Loaded>
      <ShutOutTable />
      {opened !== null && <PersonSheet person={opened} onClose={() => open(null)} />}
    </>
  );
}
