import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { Field, focusFirstFault, TextArea } from '../../ui/field.tsx';
import { FormSheet } from '../../ui/form-sheet.tsx';
import { Select } from '../../ui/select.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { askControl, useControlDeed } from '../call.ts';
import { bodyOf, type Draft, emptyDraft, faultsOf, lifetimes } from './draft.ts';

/** The maximum on one page of the API. Whoever has more policies enters an id. */
const maxPolicies = 200;

/** Asks for the number and kind of actions, the end and the condition. */
export function NewBatch({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [tried, setTried] = useState(false);
  const policies = useQuery(askControl('GET /v1/policies', { query: { limit: maxPolicies } }));
  const { busy, problem, run } = useControlDeed('POST /v1/batch-authorizations', '/v1/batch-authorizations');
  const found = faultsOf(draft);
  const faults = tried ? found : {};
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const field = (name: 'service' | 'action' | 'user' | 'maxExecutions') => ({
    maxLength: 256,
    value: draft[name],
    error: faults[name] ?? null,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    if (Object.keys(found).length > 0) return focusFirstFault(form);
    if ((await run({ body: bodyOf(draft, Date.now()) })) === null) return;
    showToast({ tone: 'ok', text: 'Batch approval created.' });
    onClose();
  };
  const names = (policies.data?.items ?? []).map(({ policy_id, name }) => [policy_id, name] as const);
  return (
    <FormSheet
      title="New batch approval"
      submitLabel="Create approval"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Select
        label="Policy"
        options={[['', policies.isPending ? 'Loading…' : 'Choose a policy'], ...names]}
        value={draft.policy}
        error={faults.policy ?? null}
        onChange={({ target }) => change({ policy: target.value })}
      />
      <Field label="Service" placeholder="bank" {...field('service')} />
      <Field label="Action" placeholder="createTransfer" {...field('action')} />
      <Field label="User" hint="A user ID. Leave empty for anyone." {...field('user')} />
      <TextArea
        label="Condition"
        hint="A Cedar condition on the parameters. Leave empty to match all."
        placeholder="context.params.amount <= 100"
        maxLength={4096}
        value={draft.condition}
        onChange={({ target }) => change({ condition: target.value })}
      />
      <Field label="Maximum number" inputMode="numeric" {...field('maxExecutions')} />
      <Choice
        label="Expires in"
        names={lifetimes}
        value={draft.lifetime}
        onChoose={(lifetime) => change({ lifetime })}
      />
    </FormSheet>
  );
}
