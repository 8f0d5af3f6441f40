import type { ImportFault } from '@countersign/protocol/dashboard/payees';
import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId, useState } from 'react';
import { call } from '../api/call.ts';
import { type Problem, problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { TextArea } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { outdated } from './payee-form.tsx';

/** Admits the payees of a CSV file, all or none. */
export function ImportPayees({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [csv, setCsv] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async () => {
    setFault(csv.trim() === '' ? 'Choose a file, or paste its text.' : null);
    setProblem(null);
    if (csv.trim() === '') return;
    setBusy(true);
    const done = await call('POST /api/payees/import', { body: { csv } });
    setBusy(false);
    if (!done.ok) return setProblem(done.error);
    void refresh(queries, ...outdated);
    const { length } = done.value.payees;
    showToast({ tone: 'ok', text: length === 1 ? '1 payee imported.' : `${length} payees imported.` });
    onClose();
  };
  const faults = problem === null ? [] : faultsIn(problem);
  return (
    <FormSheet
      title="Import payees"
      submitLabel="Import payees"
      busy={busy}
      problem={problem === null || faults.length > 0 ? null : problemText(problem)}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <FromFile onText={setCsv} />
      <TextArea
        label="CSV"
        hint="A header with legal_name, domain, addresses, valid_until, and links and registry_numbers if you have any."
        rows={8}
        maxLength={200_000}
        value={csv}
        error={fault}
        onChange={({ target }) => setCsv(target.value)}
      />
      {faults.length > 0 && <Faults faults={faults} />}
    </FormSheet>
  );
}

function FromFile({ onText }: { readonly onText: (text: string) => void }) {
  const id = useId();
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file !== undefined) onText(await file.text());
  };
  return (
    <div>
      <label htmlFor={id} className="block text-sm font-medium">
        File
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        onChange={(event) => void read(event)}
        className="mt-1.5 block min-h-10 w-full text-sm"
      />
    </div>
  );
}

/** Lists the errors of the file, by row. */
function Faults({ faults }: { readonly faults: readonly ImportFault[] }) {
  return (
    <Notice tone="bad">
      <p>Nothing was imported. Correct these rows and import the file again.</p>
      <ul className="mt-2 grid gap-1">
        {faults.map(({ row, field, problem }, n) => (
          <li key={n} className="[overflow-wrap:anywhere]">
            Row {row}
            {field !== null && `, ${field}`}: <Verbatim text={problem} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function faultsIn(problem: Problem): readonly ImportFault[] {
  const data = problem.kind === 'refused' ? problem.data : null;
  const faults = typeof data === 'object' && data !== null && 'faults' in data ? data.faults : null;
  return Array.isArray(faults) ? (faults as readonly ImportFault[]) : [];
}
