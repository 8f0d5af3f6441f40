import type { Payee, PayeeFile } from '@countersign/protocol/dashboard/payees';
import { type ChangeEvent, useId, useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { downloadBytes } from '../ui/download.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { accepted, base64Of, bytesOf, maxKiB, typeOf } from './file-text.ts';
import { outdated } from './payee-form.tsx';

/** The files of a record. They are sealed; who reads one is on record. */
export function Evidence({ payee: { id, files, state } }: { payee: Payee }) {
  return (
    <section aria-label="Files">
      <h3 className="text-base">Files</h3>
      {files.length === 0 && <p className="mt-1 text-sm text-muted">No files.</p>}
      <Facts>
        {files.map((file) => (
          <Fact key={file.id} name={`${Math.ceil(file.size / 1024)} KiB`}>
            {file.erasedAt === null ? <Read id={id} file={file} /> : 'Erased'}
          </Fact>
        ))}
      </Facts>
      {state !== 'withdrawn' && files.length < 10 && <Add id={id} />}
    </section>
  );
}

function Read({ id, file }: { readonly id: string; readonly file: PayeeFile }) {
  const read = async () => {
    const found = await call('GET /api/payees/:id/files/:fileId', { params: { id, fileId: file.id } });
    if (!found.ok) return showToast({ tone: 'bad', text: problemText(found.error) });
    downloadBytes(bytesOf(found.value.content), found.value.name, found.value.mediaType);
  };
  return (
    <Button kind="quiet" onClick={() => void read()} className="min-w-0 text-left whitespace-normal">
      <Verbatim text={file.name} />
    </Button>
  );
}

function Add({ id }: { readonly id: string }) {
  const input = useId();
  const [fault, setFault] = useState<string | null>(null);
  const { busy, problem, run } = useDeed('POST /api/payees/:id/files', ...outdated);
  const add = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined) return;
    const mediaType = typeOf(file);
    if (mediaType === null) return setFault('Choose a PDF, PNG, JPEG or text file.');
    if (file.size > maxKiB * 1024) return setFault(`Choose a file of ${maxKiB} KiB at most.`);
    setFault(null);
    const body = { name: file.name.slice(0, 128), mediaType, content: await base64Of(file) };
    const done = await run({ params: { id }, body });
    target.value = '';
    if (done !== null) showToast({ tone: 'ok', text: 'File added and sealed.' });
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
