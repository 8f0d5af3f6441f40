import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useDeed } from '../api/deed.ts';
import { Question } from '../ui/question.tsx';
import { showToast } from '../ui/toasts.tsx';

type Props = { readonly mandate: Mandate; readonly onClose: () => void };

/** Asks once more, because there is no way back from it. */
export function RevokeMandate({ mandate, onClose }: Props) {
  const { run, ...state } = useDeed('POST /api/mandates/intent/revoke', '/api/mandates', '/api/overview');
  const revoke = async () => {
    if ((await run({ body: { mandateId: mandate.id } })) === null) return;
    showToast({ tone: 'ok', text: 'Revoked.' });
    onClose();
  };
  return (
    <Question
      title="Revoke this mandate?"
      deed="Revoke for good"
      onYes={() => void revoke()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        From this moment your agent pays nothing more from “{mandate.title}”. A payment that is already on its
        way may still arrive. To allow payments again you sign a new mandate; to stop them for a while, pause
        it.
      </p>
    </Question>
  );
}
