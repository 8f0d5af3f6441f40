import type { Agent } from '@countersign/protocol/dashboard/agents';
import { Signature } from 'lucide-react';
import { useState } from 'react';
import { BriefMandate } from '../mandates/brief-mandate.tsx';
import { NewMandate } from '../mandates/new-mandate.tsx';
import { MandateState } from '../mandates/state.tsx';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { livingMandate } from './state.tsx';

/** Shows the agent's mandate and what is left of it, or how to create one. */
export function AgentMandate({ agent }: { agent: Agent }) {
  const [drafting, setDrafting] = useState(false);
  const mandate = livingMandate(agent);
  if (mandate !== null) {
    return (
      <BriefMandate mandate={mandate}>
        <MandateState mandate={mandate} />{' '}
      </BriefMandate>
    );
  }
  const begin = <Button onClick={() => setDrafting(true)}>Give it a mandate</Button>;
  return (
    <>
      <Message
        icon={Signature}
        title="No active mandate"
        {...(agent.state === 'active' && { action: begin })}
      >
        This agent can pay for nothing{agent.state === 'active' ? ' until you sign one for it' : ''}.
      </Message>
      {drafting && <NewMandate payer={agent.agentWallet} onClose={() => setDrafting(false)} />}
    </>
  );
}
