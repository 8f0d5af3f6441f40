import type { Agent } from '@countersign/protocol/dashboard/agents';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../api/queries.ts';
import { beginningOf } from '../ui/brief.tsx';
import { Button } from '../ui/button.tsx';
import { type Settlement, useSettlement } from '../wallet/balance.ts';
import { findAgent } from './queries.ts';
import { Sent } from './sent.tsx';
import { agentName } from './state.tsx';
import { TopUpForm } from './top-up-form.tsx';
import { type TransferProblem, useTransfer } from './transfer.ts';

/**
 * The way to move USDC from the owner's wallet to the agent's, and its result; nothing where the dashboard
 * knows no USDC, and for an agent that is stopped nothing but the transfer that was begun before.
 */
export function TopUp({ agent }: { agent: Agent }) {
  const settlement = useSettlement();
  const [open, setOpen] = useState(false);
  const { state } = useTransfer(agent.agentId);
  const active = agent.state === 'active';
  if (settlement == null || (!active && state === null && !open)) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <span>
          {active ? 'Top up' : 'Show transfer'}
          <span className="sr-only">
            {active ? '' : ' to'} {beginningOf(agentName(agent))}
          </span>
        </span>
      </Button>
      {open && <TopUpSheet agent={agent} settlement={settlement} onClose={() => setOpen(false)} />}
    </>
  );
}

type Props = {
  readonly agent: Agent;
  readonly settlement: NonNullable<Settlement>;
  readonly onClose: () => void;
};

/** The form, then its result. */
function TopUpSheet({ agent, settlement, onClose }: Props) {
  const queries = useQueryClient();
  const { state, run, dismiss } = useTransfer(agent.agentId);
  const title = `Top up “${beginningOf(agentName(agent))}”`;
  const close = () => {
    dismiss();
    onClose();
  };
  if (state?.at === 'sent')
    return (
      <Sent
        title={title}
        transfer={state}
        to={agent.agentWallet}
        where="the agent’s wallet"
        onClose={close}
      />
    );
  const way = { settlement, to: agent.agentWallet, whyNot: () => whyNotActive(queries, agent.agentId) };
  return <TopUpForm title={title} latest={state} way={way} run={run} onClose={close} />;
}

/** It may have been stopped elsewhere. */
async function whyNotActive(queries: QueryClient, agentId: string): Promise<TransferProblem | null> {
  const agent = await findAgent(agentId);
  if (!agent.ok) return { from: 'server', problem: agent.error };
  if (agent.value?.state === 'active') return null;
  void refresh(queries, '/api/agents');
  return { from: 'agent' };
}
