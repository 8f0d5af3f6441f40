import type { Payee } from '@countersign/protocol/dashboard/payees';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { rejectionsIn } from '../kyb/rejections-in.ts';
import { Field, focusFirstFault, TextArea } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { bodyOf, type DraftField, draftOf, emptyDraft, faultsOf, type PayeeDraft } from './draft.ts';

export const outdated = ['/api/payees', '/api/compliance/history'] as const;

type AdmitProps = {
  /** The address of a payee that was reported. Nothing else in the report has been verified. */
  readonly address?: string;
  readonly onClose: () => void;
};

/** Admits a business: its record is written here. */
export function AdmitPayee({ address = '', onClose }: AdmitProps) {
  const [draft, setDraft] = useState(() => emptyDraft(address, Date.now()));
  const deed = useDeed('POST /api/payees/create', ...outdated);
  const submit = async () => {
    const done = await deed.run({ body: bodyOf(draft) });
    if (done === null) return;
    tell(done.payee, 'admitted');
    onClose();
  };
  return (
    <PayeeForm
      title="Admit a payee"
      submitLabel="Admit payee"
      {...{ draft, setDraft, deed, submit, onClose }}
    />
  );
}

type ChangeProps = { readonly payee: Payee; readonly onClose: () => void };

/** Writes a new version of a record, from the one that was read. */
export function ChangePayee({ payee: newest, onClose }: ChangeProps) {
  // What was read is what is changed, also once another operator has, or a provider has said no.
  const [payee] = useState(newest);
  const read = payee.proposal ?? payee;
  const [draft, setDraft] = useState(() => draftOf(read));
  const deed = useDeed('POST /api/payees/:id/change', ...outdated);
  const submit = async () => {
    const body = {
      ...bodyOf(draft),
      version: read.version,
      seenRejections: rejectionsIn(payee.checks),
    };
    const done = await deed.run({ params: { id: payee.id }, body });
    if (done === null) return;
    tell(done.payee, 'changed');
    onClose();
  };
  return (
    <PayeeForm
      title={`Change ${read.legalName}`}
      submitLabel="Save changes"
      {...{ draft, setDraft, deed, submit, onClose }}
    />
  );
}

function tell({ legalName, proposal }: Payee, what: 'admitted' | 'changed'): void {
  const text = proposal === null ? `${legalName} is ${what}.` : 'Recorded. A second operator must agree.';
  showToast({ tone: 'ok', text });
}

type FormProps = {
  readonly title: string;
  readonly submitLabel: string;
  readonly draft: PayeeDraft;
  readonly setDraft: (change: (old: PayeeDraft) => PayeeDraft) => void;
  readonly deed: { readonly busy: boolean; readonly problem: string | null };
  readonly submit: () => Promise<void>;
  readonly onClose: () => void;
};

function PayeeForm({ title, submitLabel, draft, setDraft, deed, submit, onClose }: FormProps) {
  const [tried, setTried] = useState(false);
  const faults = faultsOf(draft, Date.now());
  const field = (name: DraftField) => ({
    value: draft[name],
    error: (tried && faults[name]) || null,
    onChange: ({ target }: { target: { value: string } }) =>
      setDraft((old) => ({ ...old, [name]: target.value })),
  });
  const trySubmit = (form: HTMLFormElement) => {
    setTried(true);
    if (Object.keys(faults).length > 0) focusFirstFault(form);
    else void submit();
  };
  return (
    <FormSheet
      title={title}
      submitLabel={submitLabel}
      busy={deed.busy}
      problem={deed.problem}
      onSubmit={trySubmit}
      onClose={onClose}
    >
      <Field label="Legal name" maxLength={200} autoComplete="off" {...field('legalName')} />
      <Field
        label="Domain"
        placeholder="shop.example"
        autoComplete="off"
        spellCheck={false}
        {...field('domain')}
      />
      <TextArea
        label="Payout addresses"
        hint="One per line. To admit it on one network only, put the network first: eip155:8453:0x…"
        {...field('addresses')}
      />
      <Field label="Valid until" hint="The last day, in UTC." type="date" {...field('lastDay')} />
      <TextArea
        label="Registry numbers"
        hint="One per line, with the register: HRB 12345 B, LEI 5299…"
        {...field('registryNumbers')}
      />
      <TextArea label="Links" hint="Your sources, one per line." {...field('links')} />
      <Field label="Note" hint="Optional. It goes on record." maxLength={500} {...field('reason')} />
    </FormSheet>
  );
}
