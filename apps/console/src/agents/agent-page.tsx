import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Bot, ChevronLeft } from 'lucide-react';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { ConnectedClients } from '../connections/connected-clients.tsx';
import { chainText } from '../transactions/explorer.ts';
import { AgentActivity } from './agent-activity.tsx';
import { AgentActions } from './agent-actions.tsx';
import { AgentKeys } from './agent-keys.tsx';
import { AgentMandate } from './agent-mandate.tsx';
import { Announced } from './announced.tsx';
import { Balance } from './balance.tsx';
import { agentById } from './queries.ts';
import { AgentState, agentName, isRefused } from './state.tsx';
import { TakeBack } from './take-back.tsx';
import { TopUp } from './top-up.tsx';
import { WhatStopDid } from './what-stop-did.tsx';
import { WalletAddress } from './wallet-address.tsx';

/** Shows one agent: its wallet, its limits, and the actions on it. */
export function AgentPage() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId' });
  const agent = useQuery(agentById(agentId));
  return (
    <>
      <Link to="/agents" className="mb-3 inline-flex items-center gap-1 text-sm text-muted hover:text-ink">
        <ChevronLeft aria-hidden="true" className="size-4" />
        Agents
      </Link>
      <Page
        title={agent.data ? agentName(agent.data) : 'Agent'}
        actions={agent.data ? <AgentActions agent={agent.data} /> : undefined}
      >
        <Loaded query={agent} skeleton={<BoneRows rows={6} />}>
          {(found) => (found === null ? <NoSuchAgent /> : <WholeAgent agent={found} />)}
        </Loaded>
      </Page>
    </>
  );
}

function NoSuchAgent() {
  return (
    <div className="card">
      <Message icon={Bot} title="Agent not found">
        It may belong to another account.
      </Message>
    </div>
  );
}

function WholeAgent({ agent }: { agent: Agent }) {
  const isAnnounced = agent.state === 'announced';
  return (
    <>
      {/* Stays, because the sheets that it opens outlast the state that they change. */}
      <Announced agents={isAnnounced ? [agent] : []} />
      {!isAnnounced && <KnownAgent agent={agent} />}
    </>
  );
}

/** Shows an agent that was signed or refused. */
function KnownAgent({ agent }: { agent: Agent }) {
  return (
    <>
      {agent.state === 'expired' && (
        <Notice tone="warn">Expired. This agent pays nothing until you renew it.</Notice>
      )}
      {agent.state === 'revoked' && (
        <Notice>
          {isRefused(agent) ? 'Refused. This wallet never pays for you.' : <WhatStopDid agent={agent} />}
        </Notice>
      )}
      <Section title="Mandate">
        <AgentMandate agent={agent} />
      </Section>
      {!isRefused(agent) && (
        <div className="grid gap-6 lg:grid-cols-2">
          <Section title={`Last ${agent.activity.days} days`}>
            <div className="px-5 py-1">
              <AgentActivity agent={agent} />
            </div>
          </Section>
          <Section title="API keys">
            <AgentKeys agent={agent} />
          </Section>
        </div>
      )}
      <ConnectedClients agentId={agent.agentId} />
      <Section
        title="Wallet"
        actions={
          <>
            {!isRefused(agent) && <TakeBack agent={agent} />}
            <TopUp agent={agent} />
          </>
        }
      >
        <div className="px-5 py-1">
          <WalletFacts agent={agent} />
        </div>
      </Section>
    </>
  );
}

function WalletFacts({ agent }: { agent: Agent }) {
  const { agentWallet, networks, signedAt, expiresAt, state } = agent;
  return (
    <Facts>
      <Fact name="State">
        <AgentState agent={agent} />
      </Fact>
      <Fact name="Address">
        <WalletAddress value={agentWallet} />
      </Fact>
      <Fact name="USDC in this wallet">
        <Balance of={agentWallet} />
      </Fact>
      {networks.length > 0 && <Fact name="May pay on">{networks.map(chainText).join(', ')}</Fact>}
      {signedAt !== null && (
        <Fact name="Signed">
          <Time at={signedAt} />
        </Fact>
      )}
      {expiresAt !== null && state !== 'revoked' && (
        <Fact name="Valid until">
          <Time at={expiresAt} />{' '}
          <span className="text-muted">
            (<Time at={expiresAt} as="relative" />)
          </span>
        </Fact>
      )}
    </Facts>
  );
}
