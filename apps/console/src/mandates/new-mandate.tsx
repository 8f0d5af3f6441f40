import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { type Draft, emptyDraft, faultsOf } from './draft.ts';
import type { ToSign } from './save-edit.ts';
import { SignMandate } from './sign-mandate.tsx';

/** Limits first; then the very fields that will be signed. */
export function NewMandate({ onClose }: { onClose: () => void }) {
  const [toSign, setToSign] = useState<ToSign | null>(null);
  if (toSign !== null) return <SignMandate toSign={toSign} onClose={onClose} />;
  return <DraftSheet onClose={onClose} onDrafted={setToSign} />;
}

type Props = {
  readonly onClose: () => void;
  readonly onDrafted: (toSign: ToSign) => void;
};

function DraftSheet({ onClose, onDrafted }: Props) {
  const { draft, change, faults, problem, busy, submit } = useDraft(onDrafted);
  const input = (name: keyof Draft) => ({
    value: draft[name],
    error: faults[name] ?? null,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <FormSheet
      title="New mandate"
      onClose={onClose}
      deed="Review"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
    >
      <Field label="Name" placeholder="Research agent" maxLength={200} {...input('title')} />
      <Field
        label="Limit per payment"
        hint="A larger payment comes to you for approval."
        inputMode="decimal"
        unit="USDC"
        {...input('perTxLimit')}
      />
      <Field
        label="Whole budget"
        hint="All payments together never exceed it."
        inputMode="decimal"
        unit="USDC"
        {...input('totalBudget')}
      />
      <Field label="Valid for" inputMode="numeric" unit="days" {...input('validDays')} />
    </FormSheet>
  );
}

function useDraft(onDrafted: Props['onDrafted']) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const faults = tried ? faultsOf(draft) : {};

  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    setProblem(null);
    if (Object.keys(faultsOf(draft)).length > 0) return focusFirstFault(form);
    setBusy(true);
    const { title, perTxLimit, totalBudget } = draft;
    const body = { title: title.trim(), perTxLimit, totalBudget, validDays: Number(draft.validDays) };
    const answer = await call('POST /api/mandates/intent/create', { body });
    setBusy(false);
    if (!answer.ok) return setProblem(problemText(answer.error));
    await refresh(queries, '/api/mandates');
    onDrafted(answer.value);
  };
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  return { draft, change, faults, problem, busy, submit };
}
