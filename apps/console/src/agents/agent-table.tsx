import type { Agent } from '@countersign/protocol/dashboard/agents';
import { Link } from '@tanstack/react-router';
import { Address } from '../ui/address.tsx';
import { Brief } from '../ui/brief.tsx';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { LastSeen } from './agent-activity.tsx';
import { BriefBalance, WhyNoBalances } from './balance.tsx';
import { AgentState, agentName, livingMandate } from './state.tsx';

const none = <span className="text-muted">–</span>;

const columns: readonly Column<Agent>[] = [
  {
    name: 'Agent',
    cell: (agent) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/agents/$agentId"
          params={{ agentId: agent.agentId }}
          className="after:absolute after:inset-0"
        >
          <Brief text={agentName(agent)} />
        </Link>
        <AgentState agent={agent} />
      </span>
    ),
  },
  {
    name: 'Wallet',
    wide: true,
    // Above the row's own link.
    cell: ({ agentWallet }) => (
      <span className="relative z-1">
        <Address value={agentWallet} />
      </span>
    ),
  },
  { name: 'Mandate', wide: true, cell: (agent) => <Mandate agent={agent} /> },
  {
    name: 'Left',
    figures: true,
    cell: (agent) => {
      const mandate = livingMandate(agent);
      return mandate === null ? none : <Money amount={mandate.remainingBudget} />;
    },
  },
  {
    name: 'Spent, 30 days',
    figures: true,
    wide: true,
    cell: ({ activity: { spent, payments } }) => (payments === 0 ? none : <Money amount={spent} />),
  },
  {
    name: 'Refused',
    figures: true,
    wide: true,
    cell: ({ activity: { refused } }) => (refused === 0 ? none : refused),
  },
  {
    name: 'Last seen',
    figures: true,
    wide: true,
    cell: (agent) => <LastSeen agent={agent} />,
  },
  {
    name: 'In wallet',
    figures: true,
    wide: true,
    cell: ({ agentWallet }) => <BriefBalance of={agentWallet} />,
  },
];

function Mandate({ agent }: { agent: Agent }) {
  const mandate = livingMandate(agent);
  if (mandate !== null) return <Brief text={mandate.title} />;
  return <span className="text-muted">{agent.state === 'active' ? 'None' : '–'}</span>;
}

/** The agents that were signed for, newest first. */
export function AgentTable({ agents }: { agents: readonly Agent[] }) {
  const [first] = agents;
  return (
    <>
      <Table
        caption="Agents, newest first"
        columns={columns}
        rows={agents}
        keyOf={({ agentId }) => agentId}
      />
      {first !== undefined && <WhyNoBalances of={first.agentWallet} />}
    </>
  );
}
