import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { NewAgent } from './new-agent.tsx';
import { StopAgent } from './stop-agent.tsx';

/**
 * Offers the actions that the agent's state allows, and opens the sheet of the chosen one. An announced agent
 * is answered on its card.
 */
export function AgentActions({ agent }: { agent: Agent }) {
  const [work, setWork] = useState<'stop' | 'renew' | null>(null);
  const close = () => setWork(null);
  if (agent.state === 'announced' || agent.state === 'revoked') return null;
  return (
    <>
      <Button kind="danger" onClick={() => setWork('stop')}>
        Stop agent
      </Button>
      <Button kind={agent.state === 'expired' ? 'primary' : 'plain'} onClick={() => setWork('renew')}>
        {agent.state === 'expired' ? 'Renew' : 'Rename or renew'}
      </Button>
      {work === 'stop' && <StopAgent agent={agent} onClose={close} />}
      {work === 'renew' && <NewAgent agent={agent} onClose={close} />}
    </>
  );
}
