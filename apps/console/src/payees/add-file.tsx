import type { PayeeFile } from '@countersign/protocol/dashboard/payees';
import { type ChangeEvent, useId, useState } from 'react';
import { showToast } from '../ui/toasts.tsx';
import { accepted, base64Of, maxKiB, typeOf } from './file-text.ts';

type NewFile = {
  readonly name: string;
  readonly mediaType: PayeeFile['mediaType'];
  readonly content: string;
};

type Props = {
  readonly busy: boolean;
  readonly problem: string | null;
  /** Returns whether it was added. */
  readonly onFile: (file: NewFile) => Promise<boolean>;
};

/** Chooses a file and adds it to the evidence. */
export function AddFile({ busy, problem, onFile }: Props) {
  const input = useId();
  const [fault, setFault] = useState<string | null>(null);
  const add = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined) return;
    const mediaType = typeOf(file);
    if (mediaType === null) return setFault('Choose a PDF, PNG, JPEG or text file.');
    if (file.size > maxKiB * 1024) return setFault(`Choose a file of ${maxKiB} KiB at most.`);
    setFault(null);
    const done = await onFile({ name: file.name.slice(0, 128), mediaType, content: await base64Of(file) });
    target.value = '';
    if (done) showToast({ tone: 'ok', text: 'File added and sealed.' });
  };
  const wrong = fault ?? problem;
  return (
    <div className="mt-3">
      <label htmlFor={input} className="block text-sm font-medium">
        Add a file
      </label>
      <p id={`${input}-hint`} className="text-sm text-pretty text-muted">
        PDF, PNG, JPEG or text, {maxKiB} KiB at most. It is sealed, and only operators read it.
      </p>
      <input
        id={input}
        type="file"
        accept={accepted}
        disabled={busy}
        aria-invalid={wrong !== null || undefined}
        aria-describedby={wrong === null ? `${input}-hint` : `${input}-hint ${input}-error`}
        onChange={(event) => void add(event)}
        className="mt-1.5 block min-h-10 w-full text-sm"
      />
      {wrong !== null && (
        <p id={`${input}-error`} className="mt-1 text-sm text-bad">
          {wrong}
        </p>
      )}
    </div>
  );
}
