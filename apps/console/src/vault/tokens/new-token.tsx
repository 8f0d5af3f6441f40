import type { Scope } from '@countersign/protocol/vault/scopes';
import { useState } from 'react';
import { Checks } from '../../ui/checks.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field, focusFirstFault } from '../../ui/field.tsx';
import { FormSheet } from '../../ui/form-sheet.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useVaultDeed } from '../call.ts';
import { CredentialChoice, maxCredentials } from './credential-choice.tsx';
import { allScopes, type NewTokenAnswer, scopeNames } from './state.tsx';

const lifetimes = {
  '3600': '1 hour',
  '86400': '1 day',
  '2592000': '30 days',
  '7776000': '90 days',
  '31536000': '1 year',
} as const;

/** A name, scopes, credentials and an end first; then the token, this once. */
export function NewToken({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewTokenAnswer | null>(null);
  if (made === null) return <TokenForm onClose={onClose} onMade={setMade} />;
  return (
    <ShownOnce
      title="Copy your token now"
      what="token"
      secret={made.token}
      about={`This is the only time “${made.name}” is shown. The vault stores its ID, not its text. If you lose it, revoke it and create a new one.`}
      use="Programs send it as a Bearer token. Keep it out of source code and chats."
      onClose={onClose}
    />
  );
}

type FormProps = { readonly onClose: () => void; readonly onMade: (made: NewTokenAnswer | null) => void };

function TokenForm({ onClose, onMade }: FormProps) {
  const [draft, setDraft] = useState<Draft>(empty);
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useVaultDeed('POST /api/v1/tokens', '/api/v1/tokens');
  const found = faultsOf(draft);
  const faults: Faults = tried ? found : {};
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (Object.keys(found).length > 0) return focusFirstFault(form);
    onMade(await run({ body: bodyOf(draft) }));
  };
  return (
    <FormSheet
      title="New token"
      submitLabel="Create token"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Where the token is used, so that you know which one to revoke later."
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
      <CredentialChoice
        chosen={draft.credentials}
        error={faults.credentials ?? null}
        onChange={(credentials) => change({ credentials })}
      />
      <Choice
        label="Expires in"
        names={lifetimes}
        value={draft.lifetime}
        onChoose={(lifetime) => change({ lifetime })}
      />
      <Field
        label="Agent"
        hint="Optional. The DID of the agent, if only one uses this token. The audit log then names it."
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
  /** Ids; null: all. */
  readonly credentials: readonly string[] | null;
};

const empty: Draft = { name: '', scopes: [], lifetime: '86400', agent: '', credentials: null };

type Faults = { readonly [Part in 'name' | 'scopes' | 'agent' | 'credentials']?: string };

const faultsOf = ({ name, scopes, agent, credentials }: Draft): Faults => ({
  ...(name.trim() === '' && { name: 'Enter a name that you will recognise.' }),
  ...(scopes.length === 0 && { scopes: 'Choose what it may do.' }),
  ...(agent.trim() !== '' &&
    !agent.trim().startsWith('did:') && { agent: 'Enter a DID that begins with did:.' }),
  ...(credentials?.length === 0 && { credentials: 'Choose at least one credential, or All.' }),
  ...((credentials?.length ?? 0) > maxCredentials && {
    credentials: `Choose ${maxCredentials} at most, or All.`,
  }),
});

const bodyOf = ({ name, scopes, lifetime, agent, credentials }: Draft) => ({
  name: name.trim(),
  scopes: [...scopes],
  expires_in: Number(lifetime),
  ...(agent.trim() !== '' && { agent_did: agent.trim() }),
  ...(credentials !== null && { credential_ids: [...credentials] }),
});
