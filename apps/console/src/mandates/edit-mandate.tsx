import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { moneyText } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { consequenceOf, type Edit, editFaults, editOf, spokenFor } from './edit.ts';
import { saveEdit, type ToSign } from './save-edit.ts';
import { SignMandate } from './sign-mandate.tsx';

type Props = { readonly mandate: Mandate; readonly onClose: () => void };

/** Name and limits; where the new ones go beyond what was signed, their signature follows. */
export function EditMandate({ mandate, onClose }: Props) {
  const [toSign, setToSign] = useState<ToSign | null>(null);
  if (toSign !== null) return <SignMandate toSign={toSign} onClose={onClose} />;
  return <EditSheet mandate={mandate} onClose={onClose} onNewTerms={setToSign} />;
}

function EditSheet({ onNewTerms, mandate, onClose }: Props & { onNewTerms: (toSign: ToSign) => void }) {
  const { edit, change, faults, consequence, problem, busy, submit } = useEdit(mandate, onNewTerms, onClose);
  const input = (name: keyof Edit) => ({
    value: edit[name],
    error: faults[name] ?? null,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <FormSheet
      title="Edit mandate"
      onClose={onClose}
      submitLabel={consequence === 'signature' ? 'Review' : 'Save changes'}
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
    >
      <Field label="Name" maxLength={200} {...input('title')} />
      <Field label="Limit per payment" inputMode="decimal" unit="USDC" {...input('perTxLimit')} />
      <Field
        label="Total budget"
        hint={`${moneyText(spokenFor(mandate))} USDC is already used or held.`}
        inputMode="decimal"
        unit="USDC"
        {...input('totalBudget')}
      />
      {consequence === 'at-once' && (
        <Notice>This takes effect immediately. No new signature is needed.</Notice>
      )}
      {consequence === 'signature' && mandate.status === 'active' && (
        <Notice tone="warn">
          This change needs a new signature. Until you sign, your agent cannot pay from this mandate.
        </Notice>
      )}
    </FormSheet>
  );
}

function useEdit(mandate: Mandate, onNewTerms: (toSign: ToSign) => void, onSaved: () => void) {
  const queries = useQueryClient();
  const [edit, setEdit] = useState(editOf(mandate));
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const found = editFaults(mandate, edit);

  const submit = async (form: HTMLFormElement) => {
    setTried(true);
    setProblem(null);
    if (Object.keys(found).length > 0) return focusFirstFault(form);
    setBusy(true);
    const saved = await saveEdit(mandate, edit);
    setBusy(false);
    void refresh(queries, '/api/mandates', '/api/overview');
    if (!saved.ok) return setProblem(problemText(saved.error));
    if (saved.value !== null) return onNewTerms(saved.value);
    showToast({ tone: 'ok', text: 'Changes saved.' });
    onSaved();
  };
  return {
    edit,
    change: (part: Partial<Edit>) => setEdit((old) => ({ ...old, ...part })),
    faults: tried ? found : {},
    consequence: consequenceOf(mandate, edit),
    problem,
    busy,
    submit,
  };
}
