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

/** What an operator will look at. */
export function SubmitIdentity({ onClose }: { onClose: () => void }) {
  const { busy, problem, faults, submit } = useSubmission(onClose);
  return (
    <FormSheet
      title="Hand in your identity"
      onClose={onClose}
      deed="Hand in"
      busy={busy}
      problem={problem}
      onSubmit={(form) => void submit(form)}
    >
      <p className="text-pretty text-muted">
        An operator compares this with your document. Write it exactly as it stands there.
      </p>
      <Field
        label="Full name"
        name="fullName"
        autoComplete="name"
        maxLength={200}
        error={faults ? faults.fullName : null}
      />
      <Select label="Country that issued the document" name="country" options={[choose, ...byName]} />
      {faults?.country != null && <Notice tone="bad">{faults.country}</Notice>}
      <Select label="Document" name="documentType" options={documents} />
      <Field
        label="Number of the document"
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
    showToast({ tone: 'ok', text: 'Handed in. You see here what becomes of it.' });
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
  fullName: fullName === '' ? 'Write your name as it stands in the document.' : null,
  country: country === '' ? 'Choose the country that issued the document.' : null,
  documentNumber: documentNumber === '' ? 'Write the number of the document.' : null,
});
