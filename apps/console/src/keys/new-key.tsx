import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activeAgents } from '../agents/queries.ts';
import { useDeed } from '../api/deed.ts';
import { problemText } from '../api/problem.ts';
import { agentName } from '../agents/state.tsx';
import { beginningOf } from '../ui/brief.tsx';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { NewKeyText } from './new-key-text.tsx';
import { type Preset, presetNames, presets } from './reach.ts';
import type { NewApiKey } from './state.tsx';

/** A name and what it may do first; then the key, this once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (made !== null) return <NewKeyText made={made} onClose={onClose} />;
  return <DraftSheet onClose={onClose} onMade={setMade} />;
}

const lifetimes = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

/** A key of no agent: the owner's own wallet, and every agent. */
const everyWallet = '';

function DraftSheet({ onClose, onMade }: { onClose: () => void; onMade: (made: NewApiKey) => void }) {
  const draft = useDraft(onMade);
  return (
    <FormSheet
      title="New API key"
      onClose={onClose}
      submitLabel="Create key"
      busy={draft.busy}
      problem={draft.problem}
      onSubmit={() => void draft.submit()}
    >
      <Field
        label="Name"
        hint="Where it is used, so that you know later which one to revoke."
        placeholder="gateway on my laptop"
        maxLength={64}
        value={draft.name}
        onChange={(event) => draft.setName(event.target.value)}
        error={draft.nameless ? 'Enter a name that you will recognise.' : null}
      />
      <div className="grid gap-2">
        <Choice label="It is for" names={presetNames} value={draft.preset} onChoose={draft.setPreset} />
        <p className="text-sm text-pretty text-muted">{presets[draft.preset].about}</p>
      </div>
      {draft.preset === 'gateway' && draft.agents.length > 0 && (
        <Select
          label="Agent"
          options={[...draft.agents, [everyWallet, 'Your own wallet and every agent']]}
          value={draft.agent}
          onChange={(event) => draft.setAgent(event.target.value)}
        />
      )}
      {draft.reachesAll && (
        <Notice tone="warn">
          Whoever has this key can hold and report against the budget of every agent. Choose one agent for its
          gateway.
        </Notice>
      )}
      <Select
        label="Expires"
        options={lifetimes}
        value={draft.days}
        onChange={(event) => draft.setDays(event.target.value)}
      />
    </FormSheet>
  );
}

/** The agents to choose from; which there are decides what a key may do. */
function useChoices() {
  const { data, error, isPending } = useQuery(activeAgents);
  const agents = (data?.data ?? []).map(
    (agent) => [agent.agentWallet, beginningOf(agentName(agent))] as const,
  );
  const problem = error === null ? null : problemText(error.problem);
  return { agents, isKnown: data !== undefined, isPending, problem };
}

function useDraft(onMade: (made: NewApiKey) => void) {
  const choices = useChoices();
  const { agents } = choices;
  const [name, setName] = useState('');
  const [preset, setPreset] = useState<Preset>('gateway');
  const [chosen, setAgent] = useState<string | null>(null);
  const [days, setDays] = useState('');
  const [tried, setTried] = useState(false);
  const { run, busy, problem } = useDeed('POST /api/keys', '/api/keys');
  const agent = chosen ?? agents[0]?.[0] ?? everyWallet;
  const bound = preset === 'gateway' ? agent : everyWallet;

  const submit = async () => {
    setTried(true);
    if (name.trim() === '' || !choices.isKnown) return;
    const made = await run({ body: bodyOf({ name, preset, bound, days }) });
    if (made !== null) onMade(made);
  };
  const reachesAll = agents.length > 0 && preset !== 'accountant' && bound === everyWallet;
  const nameless = tried && name.trim() === '';
  return {
    name,
    setName,
    preset,
    setPreset,
    agent,
    setAgent,
    days,
    setDays,
    agents,
    reachesAll,
    nameless,
    submit,
    busy: busy || choices.isPending,
    problem: problem ?? choices.problem,
  };
}

type Draft = {
  readonly name: string;
  readonly preset: Preset;
  readonly bound: string;
  readonly days: string;
};

const bodyOf = ({ name, preset, bound, days }: Draft) => ({
  name: name.trim(),
  scopes: [...presets[preset].scopes],
  ...(bound !== everyWallet && { agentWallet: bound }),
  ...(days !== '' && { validDays: Number(days) }),
});
