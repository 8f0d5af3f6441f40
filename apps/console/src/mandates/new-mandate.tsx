import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { type Draft, emptyDraft, faultsOf, ownWallet } from './draft.ts';
import { PayerSelect } from './payer.tsx';
import type { ToSign } from './save-edit.ts';
import { SignMandate } from './sign-mandate.tsx';

type Props = {
  /** The agent wallet that it is for, to begin with; without one, the owner's own wallet. */
  readonly payer?: string;
  readonly onClose: () => void;
};

/** Limits first; then the very fields that will be signed. */
export function NewMandate({ payer = ownWallet, onClose }: Props) {
  const [toSign, setToSign] = useState<ToSign | null>(null);
  if (toSign !== null) return <SignMandate toSign={toSign} onClose={onClose} />;
  return <DraftSheet payer={payer} onClose={onClose} onDrafted={setToSign} />;
}

type DraftProps = Required<Props> & { readonly onDrafted: (toSign: ToSign) => void };

function DraftSheet({ payer, onClose, onDrafted }: DraftProps) {
  const { draft, change, faults, problem, busy, submit } = useDraft(payer, onDrafted);
  const input = (name: keyof Draft) => ({
    value: draft[name],
    error: faults[name] ?? null,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <FormSheet
      title="New mandate"
      onClose={onClose}
      submitLabel="Review"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
    >
      <PayerSelect value={draft.payer} preset={payer} onChoose={(chosen) => change({ payer: chosen })} />
      <Field label="Name" placeholder="Research agent" maxLength={200} {...input('title')} />
      <Field
        label="Limit per payment"
        hint="A larger payment needs your approval."
        inputMode="decimal"
        unit="USDC"
        {...input('perTxLimit')}
      />
      <Field
        label="Total budget"
        hint="All payments together never exceed this amount."
        inputMode="decimal"
        unit="USDC"
        {...input('totalBudget')}
      />
      <Field label="Valid for" inputMode="numeric" unit="days" {...input('validDays')} />
    </FormSheet>
  );
}

const otherPayer =
  'The dashboard drafted this mandate for a wallet other than the one you chose. It cannot be signed here.';

function useDraft(payer: string, onDrafted: DraftProps['onDrafted']) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState({ ...emptyDraft, payer });
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
    const limits = { title: title.trim(), perTxLimit, totalBudget, validDays: Number(draft.validDays) };
    const body = { ...limits, ...(draft.payer !== ownWallet && { agentWallet: draft.payer }) };
    const answer = await call('POST /api/mandates/intent/create', { body });
    setBusy(false);
    if (!answer.ok) return setProblem(problemText(answer.error));
    // An older dashboard knows no agent wallets and drafts for the owner's own.
    if ((answer.value.mandate.agentWallet ?? ownWallet) !== draft.payer) return setProblem(otherPayer);
    await refresh(queries, '/api/mandates');
    onDrafted(answer.value);
  };
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  return { draft, change, faults, problem, busy, submit };
}
