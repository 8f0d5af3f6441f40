import type { Payee, PayeeFile } from '@countersign/protocol/dashboard/payees';
import { useDeed } from '../api/deed.ts';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { WithReason } from '../compliance/with-reason.tsx';
import { Button } from '../ui/button.tsx';
import { downloadBytes } from '../ui/download.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { AddFile } from './add-file.tsx';
import { bytesOf } from './file-text.ts';
import { outdated } from './payee-form.tsx';

type Props = { readonly payee: Payee; readonly onErase: (file: PayeeFile) => void };

/** The files of a record. They are sealed; who reads one is on record. */
export function Evidence({ payee: { id, files, state }, onErase }: Props) {
  return (
    <section aria-label="Files">
      <h3 className="text-base">Files</h3>
      {files.length === 0 && <p className="mt-1 text-sm text-muted">No files.</p>}
      <Facts>
        {files.map((file) => (
          <Fact key={file.id} name={`${Math.ceil(file.size / 1024)} KiB`}>
            {file.erasedAt === null ? (
              <span className="flex flex-wrap items-center gap-2">
                <Read id={id} file={file} />
                <Button kind="quiet" onClick={() => onErase(file)}>
                  Erase
                </Button>
              </span>
            ) : (
              'Erased'
            )}
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
    <Button
      kind="quiet"
      onClick={() => void read()}
      className="max-w-full min-w-0 text-left whitespace-normal! [overflow-wrap:anywhere]"
    >
      <Verbatim text={file.name} />
    </Button>
  );
}

function Add({ id }: { readonly id: string }) {
  const { busy, problem, run } = useDeed('POST /api/payees/:id/files', ...outdated);
  return (
    <AddFile
      busy={busy}
      problem={problem}
      onFile={async (body) => (await run({ params: { id }, body })) !== null}
    />
  );
}

type EraseProps = { readonly payee: Payee; readonly file: PayeeFile; readonly onClose: () => void };

/** Erases what a file holds and is called, for good. */
export function EraseFile({ payee: { id }, file, onClose }: EraseProps) {
  const deed = useDeed('POST /api/payees/:id/files/:fileId/erase', ...outdated);
  const erase = async (reason: string) => {
    const done = await deed.run({ params: { id, fileId: file.id }, body: { reason } });
    if (done === null) return;
    const waits = done.firstWord !== null;
    showToast({
      tone: 'ok',
      text: waits ? 'Recorded. A second operator must erase it too.' : 'File erased.',
    });
    onClose();
  };
  return (
    <WithReason title="Erase this file?" name="Erase file" deed={deed} onReason={erase} onClose={onClose}>
      <p className="text-sm [overflow-wrap:anywhere]">
        <Verbatim text={file.name} />
      </p>
      <p className="text-sm text-pretty text-muted">
        Its contents and name are deleted and cannot be restored. The record keeps that it existed, who erased
        it and why.
      </p>
    </WithReason>
  );
}
