import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { type FormEvent, useId, useState } from 'react';
import { useDeed } from '../api/deed.ts';
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
  const { busy, problem, run } = useDeed(
    'POST /api/approvals/:approvalId/reject',
    '/api/approvals',
    '/api/overview',
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = reason.trim();
    const { approvalId } = approval;
    if ((await run({ params: { approvalId }, body: given === '' ? {} : { reason: given } })) === null) return;
    showToast({ tone: 'ok', text: 'Rejected. Nothing was paid.' });
    onClose();
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
      <form id={form} onSubmit={(event) => void submit(event)} className="grid gap-4">
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
