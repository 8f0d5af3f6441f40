import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toasts.tsx';

type Props = { readonly approval: Approval; readonly onClose: () => void };

/** Asks once more, and for a reason, which is kept beside the payment. */
export function RejectApproval({ approval, onClose }: Props) {
  const form = useId();
  const [reason, setReason] = useState('');
  const { busy, problem, reject } = useRejection(approval, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void reject(reason.trim());
  };
  return (
    <Sheet
      title="Reject this payment?"
      shape="dialog"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="danger" submit form={form} busy={busy}>
            Reject payment
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="grid gap-4">
        <p className="text-pretty text-muted">
          Nothing is paid, and your agent cannot ask for this payment again. It may ask for another.
        </p>
        <Field
          label="Reason"
          hint="You may leave it out. It stays with the payment."
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Sheet>
  );
}

function useRejection({ approvalId }: Approval, onRejected: () => void) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const reject = async (reason: string) => {
    setBusy(true);
    const answer = await call('POST /api/approvals/:approvalId/reject', {
      params: { approvalId },
      body: reason === '' ? {} : { reason },
    });
    setBusy(false);
    void refresh(queries, '/api/approvals', '/api/overview');
    if (!answer.ok) return setProblem(problemText(answer.error));
    showToast({ tone: 'ok', text: 'Rejected. Nothing was paid.' });
    onRejected();
  };
  return { busy, problem, reject };
}
