import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { moneyText } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
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
  const form = useId();
  const { edit, change, faults, consequence, problem, busy, submit } = useEdit(mandate, onNewTerms, onClose);
  const input = (name: keyof Edit) => ({
    value: edit[name],
    error: faults[name] ?? null,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <Sheet
      title="Edit mandate"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" submit form={form} busy={busy}>
            {consequence === 'signature' ? 'Review' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <Field label="Name" maxLength={200} {...input('title')} />
        <Field label="Limit per payment" inputMode="decimal" unit="USDC" {...input('perTxLimit')} />
        <Field
          label="Whole budget"
          hint={`${moneyText(spokenFor(mandate))} USDC of it is used or held.`}
          inputMode="decimal"
          unit="USDC"
          {...input('totalBudget')}
        />
        {consequence === 'at-once' && <Notice>This holds at once. It needs no new signature.</Notice>}
        {consequence === 'signature' && mandate.status === 'active' && (
          <Notice tone="warn">
            This needs a new signature. Until you sign, your agent cannot pay from this mandate.
          </Notice>
        )}
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Sheet>
  );
}

function useEdit(mandate: Mandate, onNewTerms: (toSign: ToSign) => void, onSaved: () => void) {
  const queries = useQueryClient();
  const [edit, setEdit] = useState(editOf(mandate));
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const found = editFaults(mandate, edit);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    setProblem(null);
    if (Object.keys(found).length > 0) return focusFirstFault(event.currentTarget);
    setBusy(true);
    const saved = await saveEdit(mandate, edit);
    setBusy(false);
    void refresh(queries, '/api/mandates', '/api/overview');
    if (!saved.ok) return setProblem(problemText(saved.error));
    if (saved.value !== null) return onNewTerms(saved.value);
    showToast({ tone: 'ok', text: 'Saved.' });
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
