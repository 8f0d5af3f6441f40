import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useState } from 'react';
import { NewMandate } from '../mandates/new-mandate.tsx';
import { NameAgent } from './name-agent.tsx';
import { SignAgent, type ToSign } from './sign-agent.tsx';

type Props = { readonly agent: Agent; readonly onClose: () => void };

type Step =
  | { readonly at: 'name' }
  | { readonly at: 'sign'; readonly toSign: ToSign }
  | { readonly at: 'mandate'; readonly agent: Agent };

/** A name and how long it holds; then the very fields that will be signed; then what it may spend. */
export function NewAgent({ agent, onClose }: Props) {
  const [step, setStep] = useState<Step>({ at: 'name' });
  switch (step.at) {
    case 'name':
      return (
        <NameAgent agent={agent} onClose={onClose} onNamed={(toSign) => setStep({ at: 'sign', toSign })} />
      );
    case 'sign':
      return (
        <SignAgent
          toSign={step.toSign}
          onClose={onClose}
          onSigned={(signed) =>
            signed.mandate?.status === 'active' ? onClose() : setStep({ at: 'mandate', agent: signed })
          }
        />
      );
    case 'mandate':
      return <NewMandate payer={step.agent.agentWallet} onClose={onClose} />;
  }
}
