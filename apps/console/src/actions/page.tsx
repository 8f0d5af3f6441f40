import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { askControl } from './call.ts';
import { ControlPage } from './control-page.tsx';
import { type Answer, DecideSheet } from './decide.tsx';
import { History } from './history.tsx';
import { Waiting } from './waiting.tsx';

const limit = 20;

/** Lists the actions that need a person's approval. */
export function ActionsPage() {
  return (
    <ControlPage
      title="Actions"
      about="Actions that your agents request under policies that require approval. An action runs only if enough people approve in time."
    >
      <Listed />
    </ControlPage>
  );
}

function Listed() {
  const { view, page = 1 } = useSearch({ from: '/frame/actions/' });
  const offset = (page - 1) * limit;
  const status = view === undefined ? ({ status: 'pending_hitl' } as const) : {};
  const list = useQuery(askControl('GET /v1/executions', { query: { ...status, limit, offset } }));
  const [answer, setAnswer] = useState<Answer | null>(null);
  return (
    <div className="card min-w-0">
      <Tabs label="View">
        <TabLink search={{}}>Waiting</TabLink>
        <TabLink search={{ view: 'all' }}>History</TabLink>
      </Tabs>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
            {view === undefined ? (
              <Waiting executions={items} onAnswer={setAnswer} />
            ) : (
              <History executions={items} />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {answer !== null && <DecideSheet answer={answer} onClose={() => setAnswer(null)} />}
    </div>
  );
}
