import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { daysFault } from '../mandates/draft.ts';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import type { ToSign } from './sign-agent.tsx';
import { WalletAddress } from './wallet-address.tsx';

type Props = {
  readonly agent: Agent;
  readonly onNamed: (toSign: ToSign) => void;
  readonly onClose: () => void;
};

/** Asks for the agent's name and how long it may pay. Both are signed next. */
export function NameAgent({ agent, onNamed, onClose }: Props) {
  const isNew = agent.state === 'announced';
  const [name, setName] = useState(agent.name);
  const [days, setDays] = useState('90');
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed('POST /api/agents/prepare-sign', '/api/agents');
  const faults = {
    name: name.trim() === '' ? 'Enter a name that you will recognise.' : null,
    days: daysFault(days),
  };

  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (faults.name !== null || faults.days !== null) return focusFirstFault(form);
    const { agentId, networks } = agent;
    // An announced one has none yet: the dashboard's own.
    const kept = networks.length > 0 ? { networks } : {};
    const toSign = await run({ body: { agentId, name: name.trim(), validDays: Number(days), ...kept } });
    if (toSign !== null) onNamed(toSign);
  };
  return (
    <FormSheet
      title={isNew ? 'Name this agent' : 'Renew this agent'}
      onClose={onClose}
      submitLabel="Review"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
    >
      <div>
        <p className="text-xs text-muted">Its wallet address</p>
        <WalletAddress value={agent.agentWallet} />
      </div>
      <Field
        label="Name"
        placeholder="Research agent"
        maxLength={64}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={tried ? faults.name : null}
      />
      <Field
        label="Valid for"
        hint="After that, it pays nothing until you sign again."
        inputMode="numeric"
        unit="days"
        value={days}
        onChange={({ target }) => setDays(target.value)}
        error={tried ? faults.days : null}
      />
    </FormSheet>
  );
}
