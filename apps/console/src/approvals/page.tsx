import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/queries.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { type Answer, AnswerSheet } from './decide.tsx';
import { History } from './history.tsx';
import { pastStates } from './search.ts';
import { stateNames } from './state.tsx';
import { Waiting } from './waiting.tsx';

const limit = 20;

/** The owner's inbox: payments that a mandate does not cover, to sign or reject, and the results of earlier ones. */
export function ApprovalsPage() {
  const { state, page = 1 } = useSearch({ from: '/frame/approvals' });
  const list = useQuery(
    ask('POST /api/approvals/list', { body: { state: state ?? 'pending', page, limit } }),
  );
  const [answer, setAnswer] = useState<Answer | null>(null);
  return (
    <Page
      title="Approvals"
      about="Payments that your mandate does not cover. Each is made only if you sign it, and only once."
    >
      <div className="card min-w-0">
        <Tabs label="State">
          <TabLink search={{}}>{stateNames.pending}</TabLink>
          {pastStates.map((each) => (
            <TabLink key={each} search={{ state: each }}>
              {stateNames[each]}
            </TabLink>
          ))}
        </Tabs>
        <Loaded query={list} skeleton={<BoneRows />}>
          {({ data, total }) => (
            <>
              {state === undefined ? (
                <Waiting approvals={data} onAnswer={setAnswer} />
              ) : (
                <History approvals={data} state={state} />
              )}
              <Pager page={page} limit={limit} total={total} />
            </>
          )}
        </Loaded>
      </div>
      {answer !== null && <AnswerSheet answer={answer} onClose={() => setAnswer(null)} />}
    </Page>
  );
}
