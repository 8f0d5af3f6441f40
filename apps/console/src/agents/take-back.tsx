import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { beginningOf } from '../ui/brief.tsx';
import { Button } from '../ui/button.tsx';
import { type Settlement, useSettlement } from '../wallet/balance.ts';
import { Sent } from './sent.tsx';
import { agentName } from './state.tsx';
import { TakeBackForm } from './take-back-form.tsx';
import { useTransfer } from './transfer.ts';

/** The way to bring the money of an agent's wallet back, stopped or not; nothing where the dashboard knows no USDC. */
export function TakeBack({ agent }: { agent: Agent }) {
  const settlement = useSettlement();
  const [open, setOpen] = useState(false);
  if (settlement == null) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Take money back</Button>
      {open && <TakeBackSheet agent={agent} settlement={settlement} onClose={() => setOpen(false)} />}
    </>
  );
}

type Props = {
  readonly agent: Agent;
  readonly settlement: NonNullable<Settlement>;
  readonly onClose: () => void;
};

/** The form, then its result. */
function TakeBackSheet({ agent, settlement, onClose }: Props) {
  const { account } = useSession();
  const { state, run, dismiss } = useTransfer(`from ${agent.agentId}`);
  const title = `Take money back from “${beginningOf(agentName(agent))}”`;
  const close = () => {
    dismiss();
    onClose();
  };
  if (state?.at === 'sent')
    return (
      <Sent title={title} transfer={state} to={account.walletAddress} where="your wallet" onClose={close} />
    );
  return (
    <TakeBackForm
      title={title}
      agent={agent}
      settlement={settlement}
      latest={state}
      run={run}
      onClose={close}
    />
  );
}
