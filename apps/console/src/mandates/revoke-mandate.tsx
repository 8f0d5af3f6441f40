import { Verbatim } from '../ui/verbatim.tsx';
import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useDeed } from '../api/deed.ts';
import { Question } from '../ui/question.tsx';
import { showToast } from '../ui/toasts.tsx';

type Props = { readonly mandate: Mandate; readonly onClose: () => void };

/** Asks once more, because there is no way back from it. */
export function RevokeMandate({ mandate, onClose }: Props) {
  const { run, ...state } = useDeed(
    'POST /api/mandates/intent/revoke',
    '/api/mandates',
    '/api/agents',
    '/api/overview',
  );
  const revoke = async () => {
    if ((await run({ body: { mandateId: mandate.id } })) === null) return;
    showToast({ tone: 'ok', text: 'Mandate revoked.' });
    onClose();
  };
  return (
    <Question
      title="Revoke this mandate?"
      submitLabel="Revoke mandate"
      onYes={() => void revoke()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        From now on, your agent pays nothing from “<Verbatim text={mandate.title} />
        ”. A payment already in progress may still arrive. This cannot be undone: to allow payments again,
        sign a new mandate. To stop payments for a while, pause it instead.
      </p>
    </Question>
  );
}
