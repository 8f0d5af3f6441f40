import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { AddAgent } from './add-agent.tsx';
import { AgentTable } from './agent-table.tsx';
import { Announced } from './announced.tsx';
import { FirstAgent } from './first-agent.tsx';
import { agentsOnPage, announcedAgents } from './queries.ts';

const limit = 20;

/** The wallets that pay for this account: those that ask to, and those that may. */
export function AgentsPage() {
  const { page = 1 } = useSearch({ from: '/frame/agents' });
  const list = useQuery(agentsOnPage(page, limit));
  const waiting = useQuery(announcedAgents).data?.data ?? [];
  const [adding, setAdding] = useState(false);
  const known = list.data?.total ?? 0;
  return (
    <Page
      title="Agents"
      about="An agent pays from its own wallet, within the mandate that you sign for it. Only your own wallet can sign mandates and approvals."
      actions={
        known > 0 && (
          <Button kind={waiting.length > 0 ? 'plain' : 'primary'} onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" />
            Add an agent
          </Button>
        )
      }
    >
      <Announced agents={waiting} />
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => <List agents={data} total={total} page={page} />}
      </Loaded>
      {adding && <AddAgent onClose={() => setAdding(false)} />}
    </Page>
  );
}

type Props = { readonly agents: readonly Agent[]; readonly total: number; readonly page: number };

/** Lists agents. Those that wait for a signature stand above the table. */
function List({ agents, total, page }: Props) {
  const signed = agents.filter(({ state }) => state !== 'announced');
  if (total === 0) return <FirstAgent />;
  if (signed.length === 0 && total <= limit) return null;
  return (
    <div className="card min-w-0">
      <AgentTable agents={signed} />
      <Pager page={page} limit={limit} total={total} />
    </div>
  );
}
