import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';

type Props = { readonly approval: Approval; readonly onClose: () => void };

/** Asks once more, and for a reason, which is kept beside the payment. */
export function RejectApproval({ approval, onClose }: Props) {
  const [reason, setReason] = useState('');
  const { busy, problem, run } = useDeed(
    'POST /api/approvals/:approvalId/reject',
    '/api/approvals',
    '/api/overview',
  );
  const submit = async () => {
    const given = reason.trim();
    const { approvalId } = approval;
    if ((await run({ params: { approvalId }, body: given === '' ? {} : { reason: given } })) === null) return;
    showToast({ tone: 'ok', text: 'Payment rejected. Nothing was paid.' });
    onClose();
  };
  return (
    <FormSheet
      title="Reject this payment?"
      shape="dialog"
      onClose={onClose}
      submitLabel="Reject payment"
      danger
      leave="Not now"
      busy={busy}
      problem={problem}
      onSubmit={() => void submit()}
    >
      <p className="text-pretty text-muted">
        Nothing is paid, and your agent is notified. If it makes the same call again, you are asked again.
      </p>
      <Field
        label="Reason"
        hint="Optional. Your agent reads it, and it is kept with the payment."
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormSheet>
  );
}
