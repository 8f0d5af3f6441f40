import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useDeed } from '../api/deed.ts';
import { Question } from '../ui/question.tsx';
import { showToast } from '../ui/toasts.tsx';

type Props = {
  readonly mandate: Mandate;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
};

/** Takes a draft or an ended mandate off the list. */
export function DeleteMandate({ mandate, onDeleted, onClose }: Props) {
  const { run, ...state } = useDeed('POST /api/mandates/intent/delete', '/api/mandates', '/api/overview');
  const draft = mandate.status === 'pending';
  const remove = async () => {
    if ((await run({ body: { mandateId: mandate.id } })) === null) return;
    showToast({ tone: 'ok', text: draft ? 'Draft discarded.' : 'Mandate deleted.' });
    onDeleted();
  };
  return (
    <Question
      title={draft ? 'Discard this draft?' : 'Delete this mandate?'}
      submitLabel={draft ? 'Discard draft' : 'Delete mandate'}
      onYes={() => void remove()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        {draft
          ? `“${mandate.title}” is permanently removed from your list. It is not signed, so nothing can be paid from it.`
          : `“${mandate.title}” and its credential are permanently removed from your list. The record of its payments stays.`}
      </p>
    </Question>
  );
}
