import type { Scope } from '@countersign/protocol/vault/scopes';
import { useState } from 'react';
import { Checks } from '../../ui/checks.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field, focusFirstFault } from '../../ui/field.tsx';
import { FormSheet } from '../../ui/form-sheet.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useVaultDeed } from '../call.ts';
import { allScopes, type NewTokenAnswer, scopeNames } from './state.tsx';

const lifetimes = {
  '3600': '1 hour',
  '86400': '1 day',
  '2592000': '30 days',
  '7776000': '90 days',
  '31536000': '1 year',
} as const;

/** A name, scopes and an end first; then the token, this once. */
export function NewToken({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewTokenAnswer | null>(null);
  if (made === null) return <TokenForm onClose={onClose} onMade={setMade} />;
  return (
    <ShownOnce
      title="Copy your token now"
      what="token"
      secret={made.token}
      about={`This is the only time that “${made.name}” is shown. The vault keeps its id and not its text: if it is lost, make a new one and revoke this.`}
      use="Programs send it as a Bearer token. Keep it out of source code and chats."
      onClose={onClose}
    />
  );
}

type FormProps = { readonly onClose: () => void; readonly onMade: (made: NewTokenAnswer) => void };

function TokenForm({ onClose, onMade }: FormProps) {
  const [draft, setDraft] = useState<Draft>({ name: '', scopes: [], lifetime: '86400', agent: '' });
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useVaultDeed('POST /api/v1/tokens', '/api/v1/tokens');
  const found = faultsOf(draft);
  const faults = tried ? found : {};
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (Object.keys(found).length > 0) return focusFirstFault(form);
    const made = await run({ body: bodyOf(draft) });
    if (made !== null) onMade(made);
  };
  return (
    <FormSheet
      title="New token"
      deed="Make the token"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Where it is used, so that you know later which one to revoke."
        placeholder="research agent"
        maxLength={128}
        value={draft.name}
        error={faults.name ?? null}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Checks
        label="Scopes"
        options={allScopes.map((scope) => [scope, scopeNames[scope]] as const)}
        chosen={draft.scopes}
        error={faults.scopes ?? null}
        onChange={(scopes) => change({ scopes })}
      />
      <Choice
        label="Ends in"
        names={lifetimes}
        value={draft.lifetime}
        onChoose={(lifetime) => change({ lifetime })}
      />
      <Field
        label="Agent"
        hint="Its DID, if one agent gets it: it then stands in the audit log. You may leave it out."
        placeholder="did:web:agent.example"
        maxLength={512}
        value={draft.agent}
        error={faults.agent ?? null}
        onChange={({ target }) => change({ agent: target.value })}
      />
    </FormSheet>
  );
}

type Draft = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lifetime: keyof typeof lifetimes;
  readonly agent: string;
};

const faultsOf = ({ name, scopes, agent }: Draft): { name?: string; scopes?: string; agent?: string } => ({
  ...(name.trim() === '' && { name: 'Give it a name that you will recognise.' }),
  ...(scopes.length === 0 && { scopes: 'Choose what it may do.' }),
  ...(agent.trim() !== '' && !agent.trim().startsWith('did:') && { agent: 'A DID begins with did:.' }),
});

const bodyOf = ({ name, scopes, lifetime, agent }: Draft) => ({
  name: name.trim(),
  scopes: [...scopes],
  expires_in: Number(lifetime),
  ...(agent.trim() !== '' && { agent_did: agent.trim() }),
});
