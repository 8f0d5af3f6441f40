import { countries } from '@countersign/protocol/dashboard/countries';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { typedText } from '../ui/typed-text.ts';
import { countryName, documentNames } from './names.ts';

const byName = [...countries]
  .map((code) => [code, countryName(code)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));
const documents = Object.entries(documentNames);

/** Asks for the identity that an operator will review. */
export function SubmitIdentity({ onClose }: { onClose: () => void }) {
  const { busy, problem, faults, submit } = useSubmission(onClose);
  return (
    <FormSheet
      title="Submit identity"
      onClose={onClose}
      submitLabel="Submit"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
    >
      <p className="text-pretty text-muted">
        An operator compares this with your document. Enter it exactly as it appears there.
      </p>
      <Field
        label="Full name"
        name="fullName"
        autoComplete="name"
        maxLength={200}
        error={faults ? faults.fullName : null}
      />
      <Select label="Issuing country" name="country" options={[choose, ...byName]} />
      {faults?.country != null && <Notice tone="bad">{faults.country}</Notice>}
      <Select label="Document" name="documentType" options={documents} />
      <Field
        label="Document number"
        name="documentNumber"
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        error={faults ? faults.documentNumber : null}
      />
    </FormSheet>
  );
}

const choose = ['', 'Choose a country'] as const;

function useSubmission(onDone: () => void) {
  const { run, ...state } = useDeed('POST /api/kyc/submit', '/api/kyc');
  const [faults, setFaults] = useState<ReturnType<typeof faultsOf> | null>(null);
  const submit = async (form: HTMLFormElement) => {
    const draft = readForm(form);
    const found = faultsOf(draft);
    setFaults(found);
    if (Object.values(found).some((fault) => fault !== null)) return;
    if ((await run({ body: draft })) === null) return;
    showToast({ tone: 'ok', text: 'Identity submitted. The result will appear here.' });
    onDone();
  };
  return { ...state, faults, submit };
}

function readForm(form: HTMLFormElement) {
  const text = (name: string) => typedText(form, name);
  return {
    fullName: text('fullName'),
    country: text('country'),
    documentType: text('documentType') as keyof typeof documentNames,
    documentNumber: text('documentNumber'),
  };
}

const faultsOf = ({ fullName, country, documentNumber }: ReturnType<typeof readForm>) => ({
  fullName: fullName === '' ? 'Enter your name as it appears in the document.' : null,
  country: country === '' ? 'Choose the issuing country.' : null,
  documentNumber: documentNumber === '' ? 'Enter the document number.' : null,
});
