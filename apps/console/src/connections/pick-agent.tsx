import type { Agent } from '@countersign/protocol/dashboard/agents';
import { Link } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import { useState } from 'react';
import { AgentMandate } from '../agents/agent-mandate.tsx';
import { agentName } from '../agents/state.tsx';
import { useDeed } from '../api/deed.ts';
import { Address } from '../ui/address.tsx';
import { Button, buttonLook } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import type { ConnectionRequest } from './request.ts';

type Props = { readonly uid: string; readonly request: ConnectionRequest };

/** Asks which agent the client acts as, within that agent's limits, and whether to connect it. */
export function PickAgent({ uid, request }: Props) {
  const active = request.agents.filter(({ state }) => state === 'active');
  const [picked, setPicked] = useState(active[0]?.agentId ?? null);
  const agent = active.find(({ agentId }) => agentId === picked) ?? null;
  return (
    <>
      <Section title="Acts as">
        {active.length > 1 && <Agents agents={active} picked={picked} onPick={setPicked} />}
        {agent === null ? (
          <NoAgent waits={request.agents.length > 0} />
        ) : (
          <>
            <p className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line px-5 py-3.5 text-sm">
              <span className="font-medium [overflow-wrap:anywhere]">
                <Verbatim text={agentName(agent)} />
              </span>
              <Address value={agent.agentWallet} name="agent wallet" />
            </p>
            <AgentMandate agent={agent} />
          </>
        )}
      </Section>
      <Answer uid={uid} agentId={agent?.agentId ?? null} />
    </>
  );
}

type AgentsProps = {
  readonly agents: readonly Agent[];
  readonly picked: string | null;
  readonly onPick: (agentId: string) => void;
};

function Agents({ agents, picked, onPick }: AgentsProps) {
  return (
    <fieldset className="border-b border-line px-5 py-3.5 text-sm">
      <legend className="sr-only">Agent</legend>
      {agents.map((agent) => (
        <label key={agent.agentId} className="flex min-h-9 cursor-pointer items-center gap-2.5">
          <input
            type="radio"
            name="agent"
            checked={picked === agent.agentId}
            onChange={() => onPick(agent.agentId)}
          />
          <Verbatim text={agentName(agent)} />
        </label>
      ))}
    </fieldset>
  );
}

function NoAgent({ waits }: { waits: boolean }) {
  return (
    <Message
      icon={Bot}
      title={waits ? 'The agent needs your signature' : 'This gateway has no agent of yours'}
      action={
        <Link to="/agents" className={buttonLook()}>
          Open agents
        </Link>
      }
    >
      {waits
        ? 'Sign for the agent first, then connect the client again.'
        : 'Sign in with the wallet that owns the agent, or start the gateway with an agent wallet of yours.'}
    </Message>
  );
}

function Answer({ uid, agentId }: { uid: string; agentId: string | null }) {
  const connect = useDeed('POST /oauth/interactions/:uid/connect', '/api/oauth/connections');
  const refuse = useDeed('POST /oauth/interactions/:uid/refuse');
  const problem = connect.problem ?? refuse.problem;
  const goOn = (answer: { redirectTo: string } | null) => {
    if (answer !== null) window.location.assign(answer.redirectTo);
  };
  return (
    <>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <div className="flex flex-wrap gap-2">
        {agentId !== null && (
          <Button
            kind="primary"
            busy={connect.busy}
            onClick={() => void connect.run({ params: { uid }, body: { agentId } }).then(goOn)}
          >
            Connect client
          </Button>
        )}
        <Button busy={refuse.busy} onClick={() => void refuse.run({ params: { uid }, body: {} }).then(goOn)}>
          Refuse client
        </Button>
      </div>
    </>
  );
}
